/* The kinds of requests that the emulator counts, each with the side that serves it.
 *
 * METADATA and DATA are requests: to a metadata server (MDS) or to an object server (OST). EVENT is
 * what costs its client no request: an answer from a cache, or a lock taken away by another client.
 */
#ifndef PFS_KINDS_H
#define PFS_KINDS_H

#define PFS_KINDS(X)                                                                               \
  X(LOOKUP, lookup, METADATA)                                                                      \
  X(GETATTR, getattr, METADATA)                                                                    \
  X(SETATTR, setattr, METADATA)                                                                    \
  X(OPEN, open, METADATA)                                                                          \
  X(CREATE, create, METADATA)                                                                      \
  X(CLOSE, close, METADATA)                                                                        \
  X(MKDIR, mkdir, METADATA)                                                                        \
  X(MKNOD, mknod, METADATA)                                                                        \
  X(UNLINK, unlink, METADATA)                                                                      \
  X(RMDIR, rmdir, METADATA)                                                                        \
  X(RENAME, rename, METADATA)                                                                      \
  X(LINK, link, METADATA)                                                                          \
  X(SYMLINK, symlink, METADATA)                                                                    \
  X(READLINK, readlink, METADATA)                                                                  \
  X(OPENDIR, opendir, METADATA)                                                                    \
  X(READDIR, readdir, METADATA)                                                                    \
  X(CLOSEDIR, closedir, METADATA)                                                                  \
  X(STATFS, statfs, METADATA)                                                                      \
  X(GETXATTR, getxattr, METADATA)                                                                  \
  X(SETXATTR, setxattr, METADATA)                                                                  \
  X(LOCK, lock, METADATA)                                                                          \
  X(ENQUEUE, enqueue, DATA)                                                                        \
  X(READ, read, DATA)                                                                              \
  X(WRITE, write, DATA)                                                                            \
  X(FSYNC, fsync, DATA)                                                                            \
  X(PUNCH, punch, DATA)                                                                            \
  X(CACHED_READ, cached_read, EVENT)                                                               \
  X(CACHED_ATTR, cached_attr, EVENT)                                                               \
  X(ATTR_REVOKED, attr_revoked, EVENT)                                                             \
  X(EXTENT_REVOKED, extent_revoked, EVENT)                                                         \
  X(DIRTY_LOST, dirty_lost, EVENT)                                                                 \
  X(FAULT, fault, EVENT)

enum side { METADATA, DATA, EVENT };

enum kind {
#define PFS_ENUM(upper, lower, side) KIND_##upper,
  PFS_KINDS(PFS_ENUM)
#undef PFS_ENUM
      KIND_COUNT
};

struct kind_info {
  const char *name;
  enum side side;
};

extern const struct kind_info kinds[KIND_COUNT];

/* The kind of that name, or -1. */
int kind_named(const char *name);

#endif
