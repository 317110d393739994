# jobrun. `make run` for a first look, `make install` to keep it, `make test` before a change.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
JOB ?= jobs/quickstart.yaml
ARGS ?=
FUZZ_SECONDS ?= 20
BINARY := .build/release/jobrun

.PHONY: run build test unit lint static fuzz crash install uninstall bench clean help
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

run: build ## build, then run the quickstart; JOB=FILE runs another job, ARGS="…" adds options
	@scripts/run "$(JOB)" $(ARGS)

build: ## the release binary, Swift's runtime linked in: .build/release/jobrun
	@scripts/setup build
	swift build -c release --static-swift-stdlib --product jobrun

test: ## everything that a change must pass
	@scripts/setup build test
	@$(MAKE) --no-print-directory lint unit static fuzz

unit:
	swift build --build-tests
	swift test --skip-build

lint: ## the layout of the sources
	swift format lint --strict -r Sources Tests Package.swift

static: build
	scripts/check-static $(BINARY)

fuzz: ## every reader of foreign bytes under libFuzzer, FUZZ_SECONDS (20) each, two at a time
	@scripts/fuzz all $(FUZZ_SECONDS) || test $$? = 77

crash: ## the long form of the crash tests: 500 kills, every byte and every step
	swift build --build-tests
	JOBRUN_KILLS=500 swift test --skip-build --filter \
	  'KillTests|PowerCutTests|StateBytesTests|FailedCallTests|DiskTests|UnconfirmedTests'

install: ## into PREFIX (/usr/local), below DESTDIR; asks for sudo when it must
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" scripts/install

uninstall: ## take away what install put there
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" scripts/install --remove

bench: build ## jobrun beside curl on a loopback nginx
	@scripts/setup bench
	Benchmarks/run $(ARGS)

clean: ## what was built; mirror/ and the state of jobs stay
	rm -rf .build
