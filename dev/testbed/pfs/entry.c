#include "entry.h"

#include "model.h"

#include <errno.h>
#include <fcntl.h>

const double entry_lifetime = 86400;

int entry_attributes(struct call *c, struct inode *i, struct stat *st) {
  model_lock();
  i->attr_holders |= client_bit(c->client->index);
  model_unlock();
  return fstatat(i->fd, "", st, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

int entry_find(struct call *c, struct inode *dir, const char *name, struct fuse_entry_param *e) {
  struct inode *found;
  *e = (struct fuse_entry_param){.attr_timeout = entry_lifetime, .entry_timeout = entry_lifetime};
  int error = inode_find(dir, name, c->client->index, &found, &e->attr);
  if (error)
    return error;
  e->ino = inode_node_id(found);
  return entry_attributes(c, found, &e->attr);
}

void entry_reply(struct call *c, struct inode *dir, const char *name) {
  struct fuse_entry_param e;
  int error = entry_find(c, dir, name, &e);
  if (error) {
    call_reply(c, error);
    return;
  }
  call_found(c, e.attr.st_ino);
  /* The caller was interrupted: its kernel won't send a forget. */
  if (fuse_reply_entry(c->req, &e) == -ENOENT) {
    model_lock();
    inode_forget(inode_of(e.ino), c->client->index, 1);
    model_unlock();
  }
  call_end(c);
}
