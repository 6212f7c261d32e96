#include "truncate.h"

#include "dirty.h"
#include "extent_lock.h"
#include "model.h"
#include "revoke.h"
#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void contents_changed(struct inode *i, int fd, int by) {
  struct stat st;
  if (fstat(fd, &st) != 0)
    return;
  model_lock();
  usage_update(i, (uint64_t)st.st_blocks);
  if (i->only_writer == WRITERS_NONE)
    i->only_writer = by;
  else if (i->only_writer != by)
    i->only_writer = WRITERS_MANY;
  model_unlock();
}

static void cut(struct call *c, int fd, int64_t length) {
  struct inode *i = c->inode;
  if (length == 0)
    dirty_discard(i);
  else
    call_wait_for(c, dirty_flush(i, -1, -1));
  i->flushed_size = length;
  model_lock();
  if (length == 0)
    i->only_writer = WRITERS_NONE;
  call_wait_for(c, model_ost(model_ost_of(i->ino, 0), c->client->index, KIND_PUNCH, i->cls, 0));
  model_unlock();
  contents_changed(i, fd, c->client->index);
}

int truncate_to(struct call *c, int64_t length) {
  struct inode *i = c->inode;
  struct stat st;
  uint64_t lose = 0;
  int error = 0;
  int fd = open(inode_path(i).text, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return errno;
  pthread_mutex_lock(&i->data);
  if (fstat(fd, &st) != 0)
    error = errno;
  else if (st.st_size != length) {
    int64_t end = st.st_size > length ? st.st_size : length;
    lose = extent_lock(c, 0, end, true);
    error = ftruncate(fd, length) == 0 ? 0 : errno;
    if (!error)
      cut(c, fd, length);
  }
  pthread_mutex_unlock(&i->data);
  close(fd);
  revoke_pages(i, lose);
  return error;
}
