/* Requests that open, create, close and synchronise files. */
#include "classes.h"
#include "dirty.h"
#include "entry.h"
#include "handle.h"
#include "locks.h"
#include "model.h"
#include "operations.h"
#include "revoke.h"
#include "settings.h"
#include "truncate.h"
#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static struct handle *handles;

void handles_lost_data(struct inode *i, int client) {
  model_lock();
  stats_count(client, KIND_DIRTY_LOST, i->cls, 0);
  for (struct handle *h = handles; h; h = h->next)
    if (h->inode == i && h->client == client)
      h->write_back_error = EIO;
  model_unlock();
}

/* Takes over `fd`. */
static struct handle *handle_new(struct call *c, struct inode *i, int fd,
                                 struct fuse_file_info *fi) {
  struct handle *h = calloc(1, sizeof *h);
  if (!h) {
    close(fd);
    return NULL;
  }
  *h = (struct handle){
      .inode = i, .client = c->client->index, .fd = fd, .append = (fi->flags & O_APPEND) != 0};
  model_lock();
  inode_retain(i);
  i->opens++;
  h->next = handles;
  handles = h;
  /* Cached pages are valid as long as the kernel has them: revocations take them away. */
  fi->keep_cache = settings.client_cache > 0;
  /* The kernel appends where it believes the end to be; if another client appended too, it would
   * cache the bytes at a wrong place. The client's own reads stay free (contents.c). */
  fi->direct_io = h->append;
  model_unlock();
  fi->fh = (uintptr_t)h;
  return h;
}

static void handle_free(struct handle *h) {
  model_lock();
  struct handle **at = &handles;
  while (*at != h)
    at = &(*at)->next;
  *at = h->next;
  h->inode->opens--;
  usage_closed(h->inode);
  inode_release(h->inode);
  model_unlock();
  close(h->fd);
  free(h);
}

/* Offsets are ours and truncation is truncate_to()'s; reading is needed to undo lost writes. */
static int backing_flags(int flags) {
  int access = (flags & O_ACCMODE) == O_RDONLY ? O_RDONLY : O_RDWR;
  return access | O_CLOEXEC | O_NONBLOCK;
}

void op_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  if (!call_begin(&c, req, KIND_OPEN, i->cls, i, NULL))
    return;
  call_mds(&c, i->placed, NULL, i->ino);
  call_wait(&c);
  int error = 0;
  if (fi->flags & O_TRUNC) {
    error = truncate_to(&c, 0);
    revoke_attributes(i, c.client->index, true);
    call_wait(&c);
  }
  int fd = error ? -1 : open(inode_path(i).text, backing_flags(fi->flags));
  if (!error && fd < 0)
    error = errno;
  if (!error && !handle_new(&c, i, fd, fi))
    error = ENOMEM;
  if (error) {
    call_reply(&c, error);
    return;
  }
  if (fuse_reply_open(req, fi) == -ENOENT)
    handle_free(handle_of(fi));
  call_end(&c);
}

/* Opens the name, making it if need be; *made tells which. Returns the descriptor or -errno. */
static int make_or_open(struct inode *dir, const char *name, mode_t mode, int flags,
                        const struct fuse_ctx *ctx, bool *made) {
  model_lock();
  int error = usage_room(0, 1);
  model_unlock();
  int fd = -1;
  if (!error) {
    fd = openat(dir->fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    error = fd < 0 ? errno : 0;
  }
  *made = fd >= 0;
  if (error == EEXIST && !(flags & O_EXCL)) {
    fd = openat(dir->fd, name, backing_flags(flags));
    error = fd < 0 ? errno : 0;
  }
  if (!*made)
    return error ? -error : fd;
  struct stat st;
  bool inherit = fstat(dir->fd, &st) == 0 && (st.st_mode & S_ISGID);
  if (fchown(fd, ctx->uid, inherit ? (gid_t)-1 : ctx->gid) == 0)
    return fd;
  error = errno;
  close(fd);
  return -error;
}

void op_create(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode,
               struct fuse_file_info *fi) {
  struct call c;
  struct inode *dir = inode_of(parent);
  struct fuse_entry_param e;
  bool made;
  if (!call_begin(&c, req, KIND_CREATE, class_of(name), dir, NULL))
    return;
  call_mds(&c, dir->ino, name, 0);
  call_wait(&c);
  int fd = make_or_open(dir, name, mode, fi->flags, fuse_req_ctx(req), &made);
  int error = fd < 0 ? -fd : entry_find(&c, dir, name, &e);
  if (error && fd >= 0)
    close(fd);
  if (!error && !handle_new(&c, inode_of(e.ino), fd, fi))
    error = ENOMEM;
  if (error) {
    call_reply(&c, error);
    return;
  }
  if (made) {
    model_lock();
    usage_add_inode();
    model_unlock();
    revoke_attributes(dir, c.client->index, false);
  }
  if (fuse_reply_create(req, &e, fi) == -ENOENT) {
    handle_free(handle_of(fi));
    model_lock();
    inode_forget(inode_of(e.ino), c.client->index, 1);
    model_unlock();
  }
  call_end(&c);
}

/* An error of writing back: the data that couldn't be written is gone. */
static void lose_dirty(struct inode *i, int client) {
  pthread_mutex_lock(&i->data);
  dirty_lose(i, client);
  pthread_mutex_unlock(&i->data);
}

static int take_error(struct handle *h) {
  model_lock();
  int error = h->write_back_error;
  h->write_back_error = 0;
  model_unlock();
  return error;
}

void op_flush(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  struct handle *h = handle_of(fi);
  int error = call_enter(&c, req, KIND_CLOSE, i->cls, i, NULL);
  locks_drop_owner(i, c.client->index, fi->lock_owner);
  if (error)
    lose_dirty(i, h->client);
  /* Of several descriptors of one open file, the last one's close is the request; which one that
   * is isn't known yet, so it is charged once, to the first. */
  if (!h->close_charged) {
    h->close_charged = true;
    call_mds(&c, i->placed, NULL, 0);
    call_wait(&c);
  }
  int lost = take_error(h);
  call_reply(&c, error ? error : lost);
}

void op_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  struct handle *h = handle_of(fi);
  struct inode *i = inode_of(ino);
  if (!h->close_charged) {
    model_lock();
    struct charge charge = model_mds(i->placed, settings.weight[KIND_CLOSE]);
    stats_count(h->client, KIND_CLOSE, i->cls, 0);
    stats_time(KIND_CLOSE, charge.service_ns, charge.wait_ns);
    model_unlock();
  }
  handle_free(h);
  locks_changed();
  fuse_reply_err(req, 0);
}

void op_fsync(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  struct handle *h = handle_of(fi);
  (void)datasync;
  int error = call_enter(&c, req, KIND_FSYNC, i->cls, i, NULL);
  if (error) {
    lose_dirty(i, h->client);
    call_reply(&c, error);
    return;
  }
  pthread_mutex_lock(&i->data);
  call_wait_for(&c, dirty_flush(i, h->client, -1));
  pthread_mutex_unlock(&i->data);
  model_lock();
  call_wait_for(&c, model_ost(model_ost_of(i->ino, 0), h->client, KIND_FSYNC, i->cls, 0));
  model_unlock();
  call_wait(&c);
  call_reply(&c, take_error(h));
}
