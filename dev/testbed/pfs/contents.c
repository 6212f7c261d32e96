/* Requests that read and write what is in files. */
#include "dirty.h"
#include "extent_lock.h"
#include "handle.h"
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

/* The end of the piece that starts at `at`: a stripe's end, or a request's worth. */
static int64_t piece_end(const struct inode *i, int64_t at, int64_t to, int64_t most) {
  int64_t end = at + most;
  if (i->object_count > 1) {
    int64_t stripe = (at / i->stripe_bytes + 1) * i->stripe_bytes;
    end = stripe < end ? stripe : end;
  }
  return end < to ? end : to;
}

static void charge_reads(struct call *c, int64_t from, int64_t to) {
  struct inode *i = c->inode;
  int64_t most = (int64_t)(settings.rpc_kb * 1024);
  for (int64_t at = from, end; at < to; at = end) {
    end = piece_end(i, at, to, most);
    int server = model_ost_of(i->ino, objects_of(i, at, end).first);
    model_lock();
    call_wait_for(c, model_ost(server, c->client->index, KIND_READ, c->cls, (uint64_t)(end - at)));
    model_unlock();
  }
}

/* What this client wrote itself, and nobody else did, is still in its cache. */
static bool cached(const struct call *c, int64_t bytes) {
  model_lock();
  bool own = settings.client_cache > 0 && c->inode->only_writer == c->client->index;
  if (own)
    stats_count(c->client->index, KIND_CACHED_READ, c->cls, (uint64_t)bytes);
  model_unlock();
  return own;
}

static void charge_read(struct call *c, int64_t from, int64_t to) {
  struct inode *i = c->inode;
  if (to > from && cached(c, to - from))
    return;
  pthread_mutex_lock(&i->data);
  /* That there is nothing is cached, too. */
  extent_lock(c, from, to > from ? to : from + 1, false);
  pthread_mutex_unlock(&i->data);
  call_wait(c);
  charge_reads(c, from, to);
}

/* One buffer per thread: requests are large, and allocating each anew costs page faults. */
static char *read_buffer(size_t size) {
  static _Thread_local char *buffer;
  static _Thread_local size_t room;
  if (room < size) {
    free(buffer);
    buffer = malloc(size);
    room = buffer ? size : 0;
  }
  return buffer;
}

void op_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  struct handle *h = handle_of(fi);
  struct stat st;
  if (!call_begin(&c, req, KIND_READ, i->cls, i, NULL))
    return;
  char *buffer = read_buffer(size);
  if (!buffer || fstat(h->fd, &st) != 0) {
    call_reply(&c, buffer ? errno : ENOMEM);
    return;
  }
  int64_t end = off + (int64_t)size;
  charge_read(&c, off, end < st.st_size ? end : st.st_size);
  call_wait(&c);
  ssize_t n = pread(h->fd, buffer, size, off);
  if (n < 0)
    fuse_reply_err(req, errno);
  else
    fuse_reply_buf(req, buffer, (size_t)n);
  call_end(&c);
}

static int remember_dirty(struct call *c, int64_t from, int64_t to, int64_t size) {
  int error = 0;
  for (int64_t at = from, end; at < to && !error; at = end) {
    end = piece_end(c->inode, at, to, to - from);
    int object = objects_of(c->inode, at, end).first;
    error = dirty_add(c->inode, c->client->index, object, at, end - at, size);
  }
  return error;
}

/* A client may write ahead of the object servers by client.dirty_mb; then it waits for them. */
static void throttle(struct call *c, uint64_t sent) {
  double ahead_s =
      settings.ost.bandwidth_mb > 0 ? settings.client_dirty_mb / settings.ost.bandwidth_mb : 0;
  uint64_t ahead = (uint64_t)(ahead_s * 1e9);
  if (ahead > 0 && sent > ahead)
    call_wait_for(c, sent - ahead);
}

/* Under `data`. The bytes written, or -errno. */
static ssize_t write_locked(struct call *c, struct handle *h, const char *data, size_t size,
                            int64_t at, int64_t old_size, uint64_t *lose) {
  struct inode *i = c->inode;
  int64_t end = at + (int64_t)size;
  model_lock();
  int error = usage_room(end > old_size ? (uint64_t)(end - old_size) : 0, 0);
  model_unlock();
  if (error)
    return -error;
  *lose = extent_lock(c, at, end, true);
  error = remember_dirty(c, at, end, old_size);
  ssize_t n = error ? -1 : pwrite(h->fd, data, size, at);
  if (n < 0)
    return error ? -error : -errno;
  model_lock();
  stats_size(SIZE_WRITE_CALL, size);
  model_unlock();
  contents_changed(i, h->fd, h->client);
  throttle(c, dirty_flush_full(i, h->client, -1));
  return n;
}

void op_write(fuse_req_t req, fuse_ino_t ino, const char *data, size_t size, off_t off,
              struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  struct handle *h = handle_of(fi);
  struct stat st;
  uint64_t lose = 0;
  int64_t at = off;
  if (!call_begin(&c, req, KIND_WRITE, i->cls, i, NULL))
    return;
  pthread_mutex_lock(&i->data);
  ssize_t n = fstat(h->fd, &st) == 0 ? 0 : -errno;
  if (n == 0) {
    /* A page written back from a mapping has its own place, whatever the file was opened for. */
    at = h->append && !fi->writepage ? st.st_size : off;
    n = write_locked(&c, h, data, size, at, st.st_size, &lose);
  }
  pthread_mutex_unlock(&i->data);
  revoke_pages(i, lose);
  revoke_attributes(i, h->client, true);
  call_wait(&c);
  if (n < 0)
    fuse_reply_err(req, (int)-n);
  else
    fuse_reply_write(req, (size_t)n);
  model_lock();
  inode_retain(i);
  model_unlock();
  call_end(&c);
  /* Its kernel put the bytes where it thought the end was. */
  if (n > 0 && at != off) {
    revoke_pages(i, client_bit(h->client));
    revoke_attributes(i, -1, false);
  }
  model_lock();
  inode_release(i);
  model_unlock();
}

void op_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t off, off_t length,
                  struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  struct handle *h = handle_of(fi);
  struct stat st;
  if (!call_begin(&c, req, KIND_PUNCH, i->cls, i, NULL))
    return;
  pthread_mutex_lock(&i->data);
  uint64_t lose = extent_lock(&c, off, off + length, true);
  call_wait_for(&c, dirty_flush(i, -1, -1));
  model_lock();
  bool frees = mode & FALLOC_FL_PUNCH_HOLE;
  int error = frees ? 0 : usage_room((uint64_t)length, 0);
  call_wait_for(&c, model_ost(model_ost_of(i->ino, 0), h->client, KIND_PUNCH, i->cls, 0));
  model_unlock();
  if (!error && fallocate(h->fd, mode, off, length) != 0)
    error = errno;
  if (!error)
    contents_changed(i, h->fd, h->client);
  if (fstat(h->fd, &st) == 0)
    i->flushed_size = st.st_size;
  pthread_mutex_unlock(&i->data);
  revoke_pages(i, lose);
  revoke_attributes(i, h->client, true);
  call_wait(&c);
  call_reply(&c, error);
}

/* SEEK_DATA and SEEK_HOLE; the kernel answers the others itself. */
void op_lseek(fuse_req_t req, fuse_ino_t ino, off_t off, int whence, struct fuse_file_info *fi) {
  (void)ino;
  off_t at = lseek(handle_of(fi)->fd, off, whence);
  if (at < 0)
    fuse_reply_err(req, errno);
  else
    fuse_reply_lseek(req, at);
}
