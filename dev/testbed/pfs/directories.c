/* Requests that list directories. One request brings the client up to a MiB of entries. */
#include "model.h"
#include "operations.h"
#include "settings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENTRIES_PER_REQUEST = 1 << 20 };

struct listing {
  DIR *dir;
  off_t at;
  size_t since_request; /* bytes of entries handed out since the last request */
};

static struct listing *listing_of(const struct fuse_file_info *fi) {
  return (struct listing *)(uintptr_t)fi->fh;
}

static struct listing *listing_new(struct inode *i) {
  struct listing *l = calloc(1, sizeof *l);
  int fd = open(inode_path(i).text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (l && fd >= 0 && (l->dir = fdopendir(fd)))
    return l;
  int error = errno;
  if (fd >= 0)
    close(fd);
  free(l);
  errno = error;
  return NULL;
}

void op_opendir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  if (!call_begin(&c, req, KIND_OPENDIR, i->cls, i, NULL))
    return;
  call_mds(&c, i->ino, NULL, i->ino);
  call_wait(&c);
  struct listing *l = listing_new(i);
  if (!l) {
    call_reply(&c, errno);
    return;
  }
  fi->fh = (uintptr_t)l;
  fuse_reply_open(req, fi);
  call_end(&c);
}

static void go_to(struct listing *l, off_t off) {
  if (off == 0) {
    rewinddir(l->dir);
    l->since_request = 0;
  } else if (off != l->at) {
    seekdir(l->dir, off);
  }
  l->at = off;
}

static size_t fill(fuse_req_t req, struct listing *l, char *buffer, size_t size) {
  size_t used = 0;
  struct dirent *d;
  while ((d = readdir(l->dir))) {
    struct stat st = {.st_ino = d->d_ino, .st_mode = (mode_t)DTTOIF(d->d_type)};
    size_t n = fuse_add_direntry(req, buffer + used, size - used, d->d_name, &st, d->d_off);
    if (n > size - used) {
      seekdir(l->dir, l->at);
      break;
    }
    used += n;
    l->at = d->d_off;
  }
  return used;
}

void op_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi) {
  struct call c;
  struct inode *i = inode_of(ino);
  struct listing *l = listing_of(fi);
  if (!call_begin(&c, req, KIND_READDIR, i->cls, i, NULL))
    return;
  if (off == 0 || l->since_request > ENTRIES_PER_REQUEST) {
    l->since_request = 0;
    call_mds(&c, i->ino, NULL, 0);
    call_wait(&c);
  }
  char *buffer = malloc(size);
  if (!buffer) {
    call_reply(&c, ENOMEM);
    return;
  }
  go_to(l, off);
  size_t used = fill(req, l, buffer, size);
  l->since_request += used;
  fuse_reply_buf(req, buffer, used);
  free(buffer);
  call_end(&c);
}

void op_releasedir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi) {
  const struct client *client = fuse_req_userdata(req);
  struct inode *i = inode_of(ino);
  struct listing *l = listing_of(fi);
  model_lock();
  struct charge charge = model_mds(i->ino, settings.weight[KIND_CLOSEDIR]);
  stats_count(client->index, KIND_CLOSEDIR, i->cls, 0);
  stats_time(KIND_CLOSEDIR, charge.service_ns, charge.wait_ns);
  model_unlock();
  closedir(l->dir);
  free(l);
  fuse_reply_err(req, 0);
}
