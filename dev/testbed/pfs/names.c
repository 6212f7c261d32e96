/* Requests that look up, make, rename or remove names. */
#include "classes.h"
#include "dirty.h"
#include "entry.h"
#include "model.h"
#include "operations.h"
#include "revoke.h"
#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name) {
  struct call c;
  struct inode *dir = inode_of(parent);
  if (!call_begin(&c, req, KIND_LOOKUP, class_of(name), dir, NULL))
    return;
  call_mds(&c, dir->ino, name, 0);
  call_wait(&c);
  entry_reply(&c, dir, name);
}

static int room_for_one(void) {
  model_lock();
  int error = usage_room(0, 1);
  model_unlock();
  return error;
}

/* The name that was just made belongs to the caller, and other clients' view of `dir` is old. */
static void made(struct call *c, struct inode *dir, const char *name) {
  const struct fuse_ctx *ctx = fuse_req_ctx(c->req);
  struct stat st;
  bool inherit = fstat(dir->fd, &st) == 0 && (st.st_mode & S_ISGID);
  if (fchownat(dir->fd, name, ctx->uid, inherit ? (gid_t)-1 : ctx->gid, AT_SYMLINK_NOFOLLOW) != 0)
    perror("fchownat");
  model_lock();
  usage_add_inode();
  model_unlock();
  revoke_attributes(dir, c->client->index, false);
}

/* The common course of mkdir, mknod and symlink; true when `make` may go on. */
static bool begin_making(struct call *c, fuse_req_t req, enum kind kind, struct inode *dir,
                         const char *name) {
  if (!call_begin(c, req, kind, class_of(name), dir, NULL))
    return false;
  call_mds(c, dir->ino, name, 0);
  call_wait(c);
  int error = room_for_one();
  if (error)
    call_reply(c, error);
  return error == 0;
}

static void end_making(struct call *c, struct inode *dir, const char *name, int result) {
  if (result != 0) {
    call_reply(c, errno);
    return;
  }
  made(c, dir, name);
  entry_reply(c, dir, name);
}

void op_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode) {
  struct call c;
  struct inode *dir = inode_of(parent);
  if (begin_making(&c, req, KIND_MKDIR, dir, name))
    end_making(&c, dir, name, mkdirat(dir->fd, name, mode));
}

void op_mknod(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode, dev_t rdev) {
  struct call c;
  struct inode *dir = inode_of(parent);
  if (begin_making(&c, req, KIND_MKNOD, dir, name))
    end_making(&c, dir, name, mknodat(dir->fd, name, mode, rdev));
}

void op_symlink(fuse_req_t req, const char *link, fuse_ino_t parent, const char *name) {
  struct call c;
  struct inode *dir = inode_of(parent);
  if (begin_making(&c, req, KIND_SYMLINK, dir, name))
    end_making(&c, dir, name, symlinkat(link, dir->fd, name));
}

void op_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t parent, const char *name) {
  struct call c;
  struct inode *dir = inode_of(parent);
  struct inode *file = inode_of(ino);
  if (!call_begin(&c, req, KIND_LINK, class_of(name), dir, file))
    return;
  call_mds(&c, dir->ino, name, 0);
  call_wait(&c);
  if (linkat(AT_FDCWD, inode_path(file).text, dir->fd, name, AT_SYMLINK_FOLLOW) != 0) {
    call_reply(&c, errno);
    return;
  }
  revoke_attributes(file, c.client->index, true);
  revoke_attributes(dir, c.client->index, false);
  entry_reply(&c, dir, name);
}

/* A name of `file` is gone; it may have been the last one. */
static void removed(struct inode *file, int by) {
  struct stat st;
  bool gone = fstat(file->fd, &st) == 0 && (S_ISDIR(st.st_mode) || st.st_nlink == 0);
  if (gone) {
    pthread_mutex_lock(&file->data);
    dirty_discard(file);
    pthread_mutex_unlock(&file->data);
    model_lock();
    usage_unlinked(file);
    model_unlock();
  }
  revoke_attributes(file, by, true);
}

static void let_go(struct inode *i) {
  if (!i)
    return;
  model_lock();
  inode_release(i);
  model_unlock();
}

static struct inode *child_of(struct inode *dir, const char *name) {
  struct inode *child;
  struct stat st;
  return inode_find(dir, name, -1, &child, &st) == 0 ? child : NULL;
}

static void remove_name(fuse_req_t req, enum kind kind, fuse_ino_t parent, const char *name,
                        int flags) {
  struct call c;
  struct inode *dir = inode_of(parent);
  if (!call_begin(&c, req, kind, class_of(name), dir, NULL))
    return;
  call_mds(&c, dir->ino, NULL, 0);
  call_wait(&c);
  int by = c.client->index;
  struct inode *child = child_of(dir, name);
  int error = unlinkat(dir->fd, name, flags) == 0 ? 0 : errno;
  if (!error && child) {
    removed(child, by);
    revoke_name(dir, name, child, by);
    revoke_attributes(dir, by, false);
  }
  let_go(child);
  call_reply(&c, error);
}

void op_unlink(fuse_req_t req, fuse_ino_t parent, const char *name) {
  remove_name(req, KIND_UNLINK, parent, name, 0);
}

void op_rmdir(fuse_req_t req, fuse_ino_t parent, const char *name) {
  remove_name(req, KIND_RMDIR, parent, name, AT_REMOVEDIR);
}

static void moved(struct inode *file, struct inode *to, const char *name) {
  model_lock();
  file->cls = class_of(name);
  file->placed = to->ino;
  model_unlock();
}

void op_rename(fuse_req_t req, fuse_ino_t parent, const char *name, fuse_ino_t new_parent,
               const char *new_name, unsigned flags) {
  struct call c;
  struct inode *from = inode_of(parent);
  struct inode *to = inode_of(new_parent);
  if (!call_begin(&c, req, KIND_RENAME, class_of(new_name), from, to))
    return;
  call_mds(&c, to->ino, NULL, 0);
  call_wait(&c);
  int by = c.client->index;
  struct inode *file = child_of(from, name);
  struct inode *replaced = child_of(to, new_name);
  int error = renameat2(from->fd, name, to->fd, new_name, flags) == 0 ? 0 : errno;
  if (!error && file) {
    moved(file, to, new_name);
    revoke_name(from, name, file, by);
    revoke_name(to, new_name, replaced, by);
    if (replaced && replaced != file && (flags & RENAME_EXCHANGE))
      moved(replaced, from, name);
    else if (replaced && replaced != file)
      removed(replaced, by);
    revoke_attributes(from, by, false);
    revoke_attributes(to, by, false);
  }
  let_go(file);
  let_go(replaced);
  call_reply(&c, error);
}

static void forget(fuse_req_t req, fuse_ino_t ino, uint64_t lookups) {
  const struct client *client = fuse_req_userdata(req);
  model_lock();
  if (ino != FUSE_ROOT_ID)
    inode_forget(inode_of(ino), client->index, lookups);
  model_unlock();
}

void op_forget(fuse_req_t req, fuse_ino_t ino, uint64_t lookups) {
  forget(req, ino, lookups);
  fuse_reply_none(req);
}

void op_forget_multi(fuse_req_t req, size_t count, struct fuse_forget_data *forgets) {
  for (size_t i = 0; i < count; i++)
    forget(req, forgets[i].ino, forgets[i].nlookup);
  fuse_reply_none(req);
}
