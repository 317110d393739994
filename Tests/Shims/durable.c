// Stands between a program and the calls that change what is on disk (LD_PRELOAD): counts them, and
// at one of them kills the program or lets the call fail. Built and used by the tests of crashes;
// no part of the product.
//
//   JOBRUN_SHIM_STOP=N    SIGKILL at the Nth call, before it takes place
//   JOBRUN_SHIM_FAIL=N    the Nth call fails...
//   JOBRUN_SHIM_ERRNO=E   ...with this errno (5, EIO, unless given)...
//   JOBRUN_SHIM_STAYS=1   ...and every one after it too, as on a full disk
//   JOBRUN_SHIM_TORN=1    a write that is stopped or fails has written the half of its bytes first
//   JOBRUN_SHIM_ONLY=T    calls count whose path holds the text T
//   JOBRUN_SHIM_CALL=C    calls count that are called C
//   JOBRUN_SHIM_SLOW=MS   calls that count take so many milliseconds longer, as on a slow disk
//   JOBRUN_SHIM_LOG=FILE  a line for each call that counts: name and path
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long stop_at, fail_at, stays, torn, slow;
static int fail_with = EIO, log_file = -1;
static const char *only, *only_call;
static long steps;

static long number(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

static ssize_t plain_write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  return real(descriptor, bytes, count);
}

__attribute__((constructor)) static void start(void) {
  stop_at = number("JOBRUN_SHIM_STOP");
  fail_at = number("JOBRUN_SHIM_FAIL");
  stays = number("JOBRUN_SHIM_STAYS");
  torn = number("JOBRUN_SHIM_TORN");
  if (number("JOBRUN_SHIM_ERRNO")) fail_with = (int)number("JOBRUN_SHIM_ERRNO");
  slow = number("JOBRUN_SHIM_SLOW");
  only = getenv("JOBRUN_SHIM_ONLY");
  only_call = getenv("JOBRUN_SHIM_CALL");
  const char *path = getenv("JOBRUN_SHIM_LOG");
  if (path) {
    int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
    log_file = real(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
}

// The path of an open file, or of a name in an open folder.
static void find(char *path, int descriptor, const char *name) {
  char link[64];
  path[0] = 0;
  if (name && (name[0] == '/' || descriptor == AT_FDCWD)) {
    snprintf(path, PATH_MAX, "%s", name);
    return;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 300);
  if (length < 0) length = 0;
  path[length] = 0;
  if (name) snprintf(path + length, 290, "/%s", name);
}

enum { GO_ON, FAIL, STOP };

// One call that counts: what becomes of it.
static int step(const char *call, int descriptor, const char *name) {
  char path[PATH_MAX];
  int saved = errno;
  find(path, descriptor, name);
  errno = saved;
  if (only && !strstr(path, only)) return GO_ON;
  if (only_call && strcmp(call, only_call)) return GO_ON;
  if (slow) usleep((useconds_t)slow * 1000);
  errno = saved;
  long now = __atomic_add_fetch(&steps, 1, __ATOMIC_SEQ_CST);
  if (log_file >= 0) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%s %s\n", call, path);
    (void)!plain_write(log_file, line, (size_t)length);
    errno = saved;
  }
  if (stop_at && now == stop_at) return STOP;
  if (fail_at && (now == fail_at || (stays && now > fail_at))) return FAIL;
  return GO_ON;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

#define STEP(call, descriptor, name)                  \
  switch (step(call, descriptor, name)) {             \
    case STOP: die();                                 \
    case FAIL: errno = fail_with; return -1;          \
    default: break;                                   \
  }

#define REAL(result, name, ...)                       \
  static result (*real)(__VA_ARGS__);                 \
  if (!real) real = dlsym(RTLD_NEXT, name)

static int is_regular(int descriptor) {
  struct stat facts;
  int saved = errno;
  int yes = fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode);
  errno = saved;
  return yes;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (descriptor > 2 && descriptor != log_file && is_regular(descriptor)) {
    int what = step("write", descriptor, NULL);
    if (what != GO_ON && torn) (void)!plain_write(descriptor, bytes, count / 2);
    if (what == STOP) die();
    if (what == FAIL) { errno = fail_with; return -1; }
  }
  return plain_write(descriptor, bytes, count);
}

static ssize_t stopped_pwrite(int descriptor, const void *bytes, size_t count, off64_t offset) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  int what = step("pwrite", descriptor, NULL);
  if (what != GO_ON && torn) (void)!real(descriptor, bytes, count / 2, offset);
  if (what == STOP) die();
  if (what == FAIL) { errno = fail_with; return -1; }
  return real(descriptor, bytes, count, offset);
}
ssize_t pwrite(int d, const void *b, size_t c, off_t o) { return stopped_pwrite(d, b, c, o); }
ssize_t pwrite64(int d, const void *b, size_t c, off64_t o) { return stopped_pwrite(d, b, c, o); }

static int stopped_ftruncate(int descriptor, off64_t length) {
  REAL(int, "ftruncate64", int, off64_t);
  STEP("ftruncate", descriptor, NULL)
  return real(descriptor, length);
}
int ftruncate(int descriptor, off_t length) { return stopped_ftruncate(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return stopped_ftruncate(descriptor, length); }

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  REAL(int, "fallocate", int, int, off_t, off_t);
  STEP("fallocate", descriptor, NULL)
  return real(descriptor, mode, offset, length);
}

#define OF_DESCRIPTOR(call)                           \
  int call(int descriptor) {                          \
    REAL(int, #call, int);                            \
    STEP(#call, descriptor, NULL)                     \
    return real(descriptor);                          \
  }
OF_DESCRIPTOR(fsync)
OF_DESCRIPTOR(fdatasync)
OF_DESCRIPTOR(syncfs)

int fchmod(int descriptor, mode_t mode) {
  REAL(int, "fchmod", int, mode_t);
  STEP("fchmod", descriptor, NULL)
  return real(descriptor, mode);
}

int futimens(int descriptor, const struct timespec times[2]) {
  REAL(int, "futimens", int, const struct timespec[2]);
  STEP("futimens", descriptor, NULL)
  return real(descriptor, times);
}

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  STEP("rename", AT_FDCWD, to)
  return real(from, to);
}

int renameat(int from, const char *old, int to, const char *new) {
  REAL(int, "renameat", int, const char *, int, const char *);
  STEP("renameat", to, new)
  return real(from, old, to, new);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  REAL(int, "linkat", int, const char *, int, const char *, int);
  STEP("linkat", to, new)
  return real(from, old, to, new, flags);
}

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  STEP("unlink", AT_FDCWD, path)
  return real(path);
}

int unlinkat(int folder, const char *name, int flags) {
  REAL(int, "unlinkat", int, const char *, int);
  STEP("unlinkat", folder, name)
  return real(folder, name, flags);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  STEP("mkdir", AT_FDCWD, path)
  return real(path, mode);
}

int mkdirat(int folder, const char *name, mode_t mode) {
  REAL(int, "mkdirat", int, const char *, mode_t);
  STEP("mkdirat", folder, name)
  return real(folder, name, mode);
}

static int stopped_open(int folder, const char *name, int flags, mode_t mode) {
  REAL(int, "openat64", int, const char *, int, ...);
  if (flags & O_CREAT) { STEP("open", folder, name) }
  return real(folder, name, flags, mode);
}

#define MODE                                          \
  mode_t mode = 0;                                    \
  if (flags & (O_CREAT | O_TMPFILE)) {                \
    va_list rest;                                     \
    va_start(rest, flags);                            \
    mode = va_arg(rest, mode_t);                      \
    va_end(rest);                                     \
  }
int open(const char *name, int flags, ...) {
  MODE return stopped_open(AT_FDCWD, name, flags, mode);
}
int open64(const char *name, int flags, ...) {
  MODE return stopped_open(AT_FDCWD, name, flags, mode);
}
int openat(int folder, const char *name, int flags, ...) {
  MODE return stopped_open(folder, name, flags, mode);
}
int openat64(int folder, const char *name, int flags, ...) {
  MODE return stopped_open(folder, name, flags, mode);
}
