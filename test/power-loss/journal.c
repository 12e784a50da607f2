/*
 * Records what a process does to the files of one folder, in order: preload it with JOURNAL_FOLDER and JOURNAL_FILE set.
 * A record is {u32 operation, i32 descriptor, i64 number, u32 length} and `length` bytes. Everything still happens.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum operation { OPENED = 1, WROTE, TRUNCATED, SYNCED, UNLINKED };
enum { DESCRIPTORS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static int journal = -1;
static unsigned char watched[DESCRIPTORS];

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("JOURNAL_FILE");
  folder = getenv("JOURNAL_FOLDER");
  if (file && folder) journal = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND, 0600);
}

static void put(const void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t some = syscall(SYS_write, journal, (const char *)bytes + done, length - done);
    if (some <= 0) abort();
    done += (size_t)some;
  }
}

static void record(enum operation operation, int fd, int64_t number, const void *bytes, size_t length) {
  struct __attribute__((packed)) { uint32_t operation; int32_t fd; int64_t number; uint32_t length; } head = {
    operation, fd, number, (uint32_t)length};
  pthread_mutex_lock(&lock);
  put(&head, sizeof head);
  put(bytes, length);
  pthread_mutex_unlock(&lock);
}

static int within(const char *path) {
  return journal >= 0 && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_watched(int fd) { return fd >= 0 && fd < DESCRIPTORS && watched[fd]; }

static int opened(int fd, const char *path) {
  if (fd < 0 || fd >= DESCRIPTORS) return fd;
  watched[fd] = (unsigned char)within(path);
  if (watched[fd]) record(OPENED, fd, 0, path, strlen(path));
  return fd;
}

#define OPEN(name)                                                                 \
  int name(const char *path, int flags, ...) {                                     \
    static int (*real)(const char *, int, ...);                                    \
    va_list rest;                                                                  \
    va_start(rest, flags);                                                         \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;        \
    va_end(rest);                                                                  \
    if (!real) real = next(#name);                                                 \
    int fd = opened(real(path, flags, mode), path);                                \
    if (is_watched(fd) && flags & O_TRUNC) record(TRUNCATED, fd, 0, "", 0);        \
    return fd;                                                                     \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  static int (*real)(int);
  if (!real) real = next("close");
  if (fd >= 0 && fd < DESCRIPTORS) watched[fd] = 0;
  return real(fd);
}

#define PWRITE(name, offset_type)                                                  \
  ssize_t name(int fd, const void *bytes, size_t length, offset_type offset) {     \
    static ssize_t (*real)(int, const void *, size_t, offset_type);                \
    if (!real) real = next(#name);                                                 \
    ssize_t done = real(fd, bytes, length, offset);                                \
    if (done > 0 && is_watched(fd)) record(WROTE, fd, offset, bytes, (size_t)done); \
    return done;                                                                   \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = next("write");
  ssize_t done = real(fd, bytes, length);
  if (done > 0 && is_watched(fd)) record(WROTE, fd, lseek(fd, 0, SEEK_CUR) - done, bytes, (size_t)done);
  return done;
}

#define FTRUNCATE(name, size_type)                                                 \
  int name(int fd, size_type size) {                                               \
    static int (*real)(int, size_type);                                            \
    if (!real) real = next(#name);                                                 \
    int result = real(fd, size);                                                   \
    if (result == 0 && is_watched(fd)) record(TRUNCATED, fd, size, "", 0);         \
    return result;                                                                 \
  }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                                 \
  int name(int fd) {                                                               \
    static int (*real)(int);                                                       \
    if (!real) real = next(#name);                                                 \
    int result = real(fd);                                                         \
    if (result == 0 && is_watched(fd)) record(SYNCED, fd, 0, "", 0);               \
    return result;                                                                 \
  }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
  static int (*real)(const char *);
  if (!real) real = next("unlink");
  int result = real(path);
  if (result == 0 && within(path)) record(UNLINKED, -1, 0, path, strlen(path));
  return result;
}

/* Ways to change a file that the simulation does not know: better no result than a wrong one. */
int rename(const char *from, const char *to) {
  static int (*real)(const char *, const char *);
  if (within(from) || within(to)) abort();
  if (!real) real = next("rename");
  return real(from, to);
}
