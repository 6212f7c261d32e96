#include "locks.h"

#include "handle.h"
#include "operations.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

struct owner {
  struct owner *next;
  struct inode *inode;
  int client;
  uint64_t id;
  int fd;
};

static struct owner *owners;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void locks_changed(void) {
  pthread_mutex_lock(&mutex);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void drop(const struct inode *i, int client, const uint64_t *id) {
  pthread_mutex_lock(&mutex);
  for (struct owner **at = &owners; *at;) {
    struct owner *o = *at;
    if ((i && o->inode != i) || o->client != client || (id && o->id != *id)) {
      at = &o->next;
      continue;
    }
    *at = o->next;
    close(o->fd);
    free(o);
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&mutex);
}

void locks_drop_owner(struct inode *i, int client, uint64_t owner) { drop(i, client, &owner); }

void locks_drop_client(int client) { drop(NULL, client, NULL); }

/* The owner's descriptor, under the mutex; -1 with errno set. An owner has the file open, so the
 * inode outlives it: its last close drops it. */
static int owner_fd(struct inode *i, int client, uint64_t id) {
  for (struct owner *o = owners; o; o = o->next)
    if (o->inode == i && o->client == client && o->id == id)
      return o->fd;
  struct owner *o = calloc(1, sizeof *o);
  int fd = open(inode_path(i).text, O_RDWR | O_CLOEXEC);
  if (!o || fd < 0) {
    free(o);
    return -1;
  }
  *o = (struct owner){.next = owners, .inode = i, .client = client, .id = id, .fd = fd};
  owners = o;
  return fd;
}

/* Waits for a change, or long enough to see whether the caller was interrupted. */
static int wait_for_change(fuse_req_t req) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50 * 1000 * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&changed, &mutex, &until);
  return fuse_req_interrupted(req) ? EINTR : 0;
}

static bool begin(struct call *c, fuse_req_t req, struct inode *i) {
  if (!call_begin(c, req, KIND_LOCK, i->cls, i, NULL))
    return false;
  call_mds(c, i->placed, NULL, 0);
  call_wait(c);
  return true;
}

void op_getlk(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi, struct flock *lock) {
  struct call c;
  struct inode *i = inode_of(ino);
  if (!begin(&c, req, i))
    return;
  lock->l_pid = 0;
  pthread_mutex_lock(&mutex);
  int fd = owner_fd(i, c.client->index, fi->lock_owner);
  int error = fd >= 0 && fcntl(fd, F_OFD_GETLK, lock) == 0 ? 0 : errno;
  pthread_mutex_unlock(&mutex);
  if (error)
    fuse_reply_err(req, error);
  else
    fuse_reply_lock(req, lock);
  call_end(&c);
}

void op_setlk(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi, struct flock *lock,
              int sleep) {
  struct call c;
  struct inode *i = inode_of(ino);
  if (!begin(&c, req, i))
    return;
  lock->l_pid = 0;
  pthread_mutex_lock(&mutex);
  int error = 0;
  int fd = owner_fd(i, c.client->index, fi->lock_owner);
  if (fd < 0)
    error = errno;
  while (!error && fcntl(fd, F_OFD_SETLK, lock) != 0) {
    error = errno == EACCES ? EAGAIN : errno;
    if (error == EAGAIN && sleep)
      error = wait_for_change(req);
    /* Somebody may have dropped this owner meanwhile. */
    fd = error ? fd : owner_fd(i, c.client->index, fi->lock_owner);
  }
  if (!error)
    pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  call_reply(&c, error);
}

void op_flock(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi, int op) {
  struct call c;
  if (!begin(&c, req, inode_of(ino)))
    return;
  int fd = handle_of(fi)->fd;
  int error = 0;
  pthread_mutex_lock(&mutex);
  while (!error && flock(fd, op | LOCK_NB) != 0)
    error = op & LOCK_NB || errno != EWOULDBLOCK ? errno : wait_for_change(req);
  if (!error)
    pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  call_reply(&c, error);
}
