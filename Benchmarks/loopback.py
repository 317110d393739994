"""What the benchmarks share: the program, and an nginx on loopback that ends with them."""

import os
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAM = REPOSITORY / ".build/release/jobrun"


class Server:
    """An nginx with one worker that serves `files`; `facts` has its addresses and authority."""

    def __init__(self, place, files, uploads=False):
        self.place = place
        self.files = files
        self.more = ["--uploads", place / "uploads"] if uploads else []
        self.facts = {}

    def __enter__(self):
        # To a file: the watching process keeps what it inherits open.
        with open(self.place / "origin.out", "w+") as out:
            command = [REPOSITORY / "scripts/origin", "start", self.place / "server", self.files]
            subprocess.run(
                command + ["--tls", "--with", str(os.getpid())] + self.more, stdout=out,
                check=True)
            out.seek(0)
            self.facts = dict(line.strip().split("=", 1) for line in out)
        return self

    def __exit__(self, *_):
        subprocess.run([REPOSITORY / "scripts/origin", "stop", self.place / "server"], check=True)
