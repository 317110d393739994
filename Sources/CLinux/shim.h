// Linux calls that Swift's Glibc module lacks, or that need _GNU_SOURCE.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Declared here because the headers show them only under _GNU_SOURCE, which the module that Swift
// built of <fcntl.h> before may not have had.
extern int sync_file_range(int descriptor, off64_t offset, off64_t count, unsigned int flags);
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
extern const char *strerrordesc_np(int number);
extern int pthread_setname_np(unsigned long thread, const char *name);

// A variable of C's that Swift takes for shared mutable state.
static inline char **jobrun_environment(void) {
  extern char **environ;
  return environ;
}
// Where a spawned program runs. Under another name, and the actions without their type, because
// <spawn.h> brings <sys/types.h>, whose fd_set differs under _GNU_SOURCE from other modules'.
extern int jobrun_spawn_in(void *actions, const char *folder)
    __asm__("posix_spawn_file_actions_addchdir_np");
// open is variadic.
static inline int jobrun_openat(int folder, const char *name, int flags, unsigned int mode) {
  return openat(folder, name, flags, mode);
}
// FALLOC_FL_KEEP_SIZE: the file's size keeps telling what was written.
static inline int jobrun_reserve(int descriptor, long long offset, long long length) {
  return fallocate(descriptor, 1, offset, length);
}
// Extended attributes. Declared here because <sys/xattr.h> brings <sys/types.h> too.
extern int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags);
extern int fremovexattr(int descriptor, const char *name);
extern ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t size);
extern ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size);
static inline int jobrun_set_attribute(int descriptor, const char *name, unsigned long long value) {
  return fsetxattr(descriptor, name, &value, sizeof value, 0);
}
static inline int jobrun_remove_attribute(int descriptor, const char *name) {
  return fremovexattr(descriptor, name);
}
static inline long jobrun_attribute(int descriptor, const char *name, unsigned long long *value) {
  return fgetxattr(descriptor, name, value, sizeof *value);
}
static inline long jobrun_path_attribute(const char *path, const char *name,
                                         unsigned long long *value) {
  return lgetxattr(path, name, value, sizeof *value);
}
// SYNC_FILE_RANGE_WRITE: starts writing the pages out and does not wait for them.
static inline int jobrun_start_writing_out(int descriptor, long long offset, long long length) {
  return sync_file_range(descriptor, offset, length, 2);
}
// The words for an errno: static text, unlike strerror's.
static inline const char *jobrun_error_words(int number) {
  const char *words = strerrordesc_np(number);
  return words ? words : "unknown error";
}

// Open file description locks on the whole of a file (fcntl is variadic): 0 is taken, -1 errno.
static inline int jobrun_lock(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}
// The same on one byte of it, which need not exist.
static inline int jobrun_lock_byte(int descriptor, long long offset) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}
// The same, shared with others who share it.
static inline int jobrun_share_byte(int descriptor, long long offset) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}
// 1: another open file description holds a lock on the byte; 0: nobody; -1: errno.
static inline int jobrun_is_byte_locked(int descriptor, long long offset) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  if (fcntl(descriptor, 36 /* F_OFD_GETLK */, &lock) != 0) return -1;
  return lock.l_type != F_UNLCK;
}
static inline int jobrun_unlock_byte(int descriptor, long long offset) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}
static inline int jobrun_unlock(int descriptor) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}
// 1: another open file description holds the lock; 0: nobody; -1: errno.
static inline int jobrun_is_locked(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(descriptor, 36 /* F_OFD_GETLK */, &lock) != 0) return -1;
  return lock.l_type != F_UNLCK;
}

// Freed memory up to `bytes` stays with the process, and blocks below 1 MiB come from the heap.
static inline void jobrun_keep_freed_memory(int bytes) {
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

// openat2 (glibc 2.36 has no wrapper): never past the folder that `folder` is, by no symbolic link,
// `..` or mount of /proc. -1 and ENOSYS where the kernel is too old or a filter forbids it.
static inline int jobrun_open_folder_beneath(int folder, const char *path) {
  struct {
    unsigned long long flags, mode, resolve;
  } how = {O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0x0a /* NO_MAGICLINKS | BENEATH */};
  return (int)syscall(437 /* SYS_openat2 */, folder, path, &how, sizeof how);
}
// A new file in the folder that has no name yet, and is gone when it is closed without one
// (O_TMPFILE). EOPNOTSUPP where the file system has none; a kernel without it says EISDIR.
static inline int jobrun_open_unnamed(int folder, unsigned int mode) {
  return openat(folder, ".", 020000000 /* __O_TMPFILE */ | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode);
}
// Gives an unnamed file a name in a folder: EEXIST where it is taken. The way over /proc is for
// processes without CAP_DAC_READ_SEARCH, whom kernels before 6.10 say ENOENT.
static inline int jobrun_name_file(int descriptor, int folder, const char *name) {
  if (linkat(descriptor, "", folder, name, 0x1000 /* AT_EMPTY_PATH */) == 0) return 0;
  if (errno != ENOENT && errno != EPERM) return -1;
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, path, folder, name, 0x400 /* AT_SYMLINK_FOLLOW */);
}
// renameat2 with RENAME_NOREPLACE: EEXIST where the new name is taken.
static inline int jobrun_rename_new(int folder, const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, folder, from, folder, to, 1 /* RENAME_NOREPLACE */);
}
extern int syncfs(int descriptor);
