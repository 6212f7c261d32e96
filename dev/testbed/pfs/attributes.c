/* Requests about attributes, extended attributes and the file system as a whole. */
#include "entry.h"
#include "model.h"
#include "operations.h"
#include "revoke.h"
#include "truncate.h"
#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

/* A directory's attributes count as held: what another client's new file took away is its UPDATE
 * lock, and the kernel asks again when it next walks through, for which Lustre keeps another lock.
 */
static bool holds_attributes(const struct call *c) {
  model_lock();
  bool held = S_ISDIR(c->inode->type) || (c->inode->attr_holders & client_bit(c->client->index));
  if (held)
    stats_count(c->client->index, KIND_CACHED_ATTR, c->cls, 0);
  model_unlock();
  return held;
}

static void reply_attributes(struct call *c) {
  struct stat st;
  int error = entry_attributes(c, c->inode, &st);
  if (error) {
    call_reply(c, error);
    return;
  }
  fuse_reply_attr(c->req, &st, entry_lifetime);
  call_end(c);
}

void op_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  (void)fi;
  if (!call_begin(&c, req, KIND_GETATTR, i->cls, i, NULL))
    return;
  if (!holds_attributes(&c)) {
    call_mds(&c, i->placed, NULL, 0);
    call_wait(&c);
  }
  reply_attributes(&c);
}

static int set_owner(struct inode *i, const struct stat *attr, int to_set) {
  uid_t uid = to_set & FUSE_SET_ATTR_UID ? attr->st_uid : (uid_t)-1;
  gid_t gid = to_set & FUSE_SET_ATTR_GID ? attr->st_gid : (gid_t)-1;
  return fchownat(i->fd, "", uid, gid, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

static struct timespec new_time(int to_set, int set, int now, struct timespec value) {
  if (to_set & now)
    return (struct timespec){.tv_nsec = UTIME_NOW};
  return to_set & set ? value : (struct timespec){.tv_nsec = UTIME_OMIT};
}

static int set_times(struct inode *i, const struct stat *attr, int to_set) {
  struct timespec times[2] = {
      new_time(to_set, FUSE_SET_ATTR_ATIME, FUSE_SET_ATTR_ATIME_NOW, attr->st_atim),
      new_time(to_set, FUSE_SET_ATTR_MTIME, FUSE_SET_ATTR_MTIME_NOW, attr->st_mtim)};
  return utimensat(i->fd, "", times, AT_EMPTY_PATH) == 0 ? 0 : errno;
}

static int set_attributes(struct call *c, const struct stat *attr, int to_set) {
  struct inode *i = c->inode;
  int error = 0;
  if (to_set & FUSE_SET_ATTR_MODE)
    error = chmod(inode_path(i).text, attr->st_mode & 07777) == 0 ? 0 : errno;
  if (!error && (to_set & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID)))
    error = set_owner(i, attr, to_set);
  if (!error && (to_set & FUSE_SET_ATTR_SIZE))
    error = truncate_to(c, attr->st_size);
  if (!error && (to_set & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME)))
    error = set_times(i, attr, to_set);
  return error;
}

void op_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *attr, int to_set,
                struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  (void)fi;
  if (!call_begin(&c, req, KIND_SETATTR, i->cls, i, NULL))
    return;
  call_mds(&c, i->placed, NULL, 0);
  call_wait(&c);
  int error = set_attributes(&c, attr, to_set);
  call_wait(&c);
  revoke_attributes(i, c.client->index, true);
  if (error)
    call_reply(&c, error);
  else
    reply_attributes(&c);
}

void op_readlink(fuse_req_t req, fuse_ino_t ino) {
  struct call c;
  struct inode *i = inode_of(ino);
  char target[PATH_MAX];
  if (!call_begin(&c, req, KIND_READLINK, i->cls, i, NULL))
    return;
  call_mds(&c, i->placed, NULL, 0);
  call_wait(&c);
  ssize_t n = readlinkat(i->fd, "", target, sizeof target - 1);
  if (n < 0) {
    call_reply(&c, errno);
    return;
  }
  target[n] = 0;
  fuse_reply_readlink(req, target);
  call_end(&c);
}

void op_statfs(fuse_req_t req, fuse_ino_t ino) {
  struct call c;
  struct inode *i = inode_of(ino);
  struct statvfs v;
  if (!call_begin(&c, req, KIND_STATFS, i->cls, i, NULL))
    return;
  call_mds(&c, i->placed, NULL, 0);
  call_wait(&c);
  if (fstatvfs(i->fd, &v) != 0) {
    call_reply(&c, errno);
    return;
  }
  model_lock();
  usage_statfs(&v);
  model_unlock();
  fuse_reply_statfs(req, &v);
  call_end(&c);
}

static bool begin_xattr(struct call *c, fuse_req_t req, enum kind kind, struct inode *i) {
  if (!call_begin(c, req, kind, i->cls, i, NULL))
    return false;
  call_mds(c, i->placed, NULL, 0);
  call_wait(c);
  return true;
}

void op_setxattr(fuse_req_t req, fuse_ino_t ino, const char *name, const char *value, size_t size,
                 int flags) {
  struct call c;
  struct inode *i = inode_of(ino);
  if (begin_xattr(&c, req, KIND_SETXATTR, i))
    call_reply(&c, setxattr(inode_path(i).text, name, value, size, flags) == 0 ? 0 : errno);
}

void op_removexattr(fuse_req_t req, fuse_ino_t ino, const char *name) {
  struct call c;
  struct inode *i = inode_of(ino);
  if (begin_xattr(&c, req, KIND_SETXATTR, i))
    call_reply(&c, removexattr(inode_path(i).text, name) == 0 ? 0 : errno);
}

/* A size of 0 asks how much room the answer needs. */
static void reply_xattr(struct call *c, ssize_t n, const char *value, size_t size) {
  if (n < 0)
    fuse_reply_err(c->req, errno);
  else if (size == 0)
    fuse_reply_xattr(c->req, (size_t)n);
  else
    fuse_reply_buf(c->req, value, (size_t)n);
  call_end(c);
}

void op_getxattr(fuse_req_t req, fuse_ino_t ino, const char *name, size_t size) {
  struct call c;
  struct inode *i = inode_of(ino);
  /* The kernel asks for it before every write; a Lustre client doesn't send that to its server. */
  if (strcmp(name, "security.capability") == 0) {
    fuse_reply_err(req, ENODATA);
    return;
  }
  if (!begin_xattr(&c, req, KIND_GETXATTR, i))
    return;
  char *value = malloc(size + 1);
  reply_xattr(&c, getxattr(inode_path(i).text, name, value, size), value, size);
  free(value);
}

void op_listxattr(fuse_req_t req, fuse_ino_t ino, size_t size) {
  struct call c;
  struct inode *i = inode_of(ino);
  if (!begin_xattr(&c, req, KIND_GETXATTR, i))
    return;
  char *names = malloc(size + 1);
  reply_xattr(&c, listxattr(inode_path(i).text, names, size), names, size);
  free(names);
}
