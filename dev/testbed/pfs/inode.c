#include "inode.h"

#include "classes.h"
#include "model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOT_ID = 1, BUCKETS = 1 << 16 };

static struct inode *buckets[BUCKETS];
static struct inode *root;

static struct inode **bucket_of(ino_t ino) { return &buckets[(ino * 0x9e3779b97f4a7c15u) >> 48]; }

static struct inode *inode_new(int fd, const struct stat *st, ino_t placed, int cls) {
  struct inode *i = calloc(1, sizeof *i + (size_t)client_count * sizeof i->seen[0]);
  if (!i)
    return NULL;
  i->ino = st->st_ino;
  i->fd = fd;
  i->type = st->st_mode & S_IFMT;
  i->placed = placed;
  i->cls = cls;
  i->charged = (uint64_t)st->st_blocks;
  i->flushed_size = st->st_size;
  /* Data from before this entry was made isn't in any client's cache. */
  i->only_writer = st->st_size == 0 ? WRITERS_NONE : WRITERS_MANY;
  pthread_mutex_init(&i->data, NULL);
  i->next = *bucket_of(i->ino);
  *bucket_of(i->ino) = i;
  return i;
}

int inodes_init(const char *backing) {
  struct stat st;
  int fd = open(backing, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st) != 0)
    return errno;
  root = inode_new(fd, &st, st.st_ino, CLASS_OTHER);
  if (!root)
    return ENOMEM;
  root->references = 1;
  return 0;
}

struct inode *inode_of(uint64_t node_id) {
  return node_id == ROOT_ID ? root : (struct inode *)(uintptr_t)node_id;
}

uint64_t inode_node_id(const struct inode *i) {
  return i == root ? ROOT_ID : (uint64_t)(uintptr_t)i;
}

static struct inode *known(ino_t ino) {
  struct inode *i = *bucket_of(ino);
  while (i && i->ino != ino)
    i = i->next;
  return i;
}

int inode_find(struct inode *parent, const char *name, int client, struct inode **found,
               struct stat *st) {
  int fd = openat(parent->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return errno;
  if (fstat(fd, st) != 0) {
    int error = errno;
    close(fd);
    return error;
  }
  model_lock();
  struct inode *i = known(st->st_ino);
  if (i)
    close(fd);
  else if (!(i = inode_new(fd, st, parent->ino, class_of(name))))
    close(fd);
  if (i && client >= 0)
    i->seen[client].lookups++;
  if (i)
    inode_retain(i);
  if (i && client >= 0)
    inode_release(i);
  model_unlock();
  *found = i;
  return i ? 0 : ENOMEM;
}

void inode_retain(struct inode *i) { i->references++; }

static void free_if_unknown(struct inode *i) {
  if (i->references > 0)
    return;
  for (int c = 0; c < client_count; c++)
    if (i->seen[c].lookups > 0)
      return;
  struct inode **at = bucket_of(i->ino);
  while (*at != i)
    at = &(*at)->next;
  *at = i->next;
  close(i->fd);
  pthread_mutex_destroy(&i->data);
  free(i->objects);
  free(i);
}

void inode_release(struct inode *i) {
  i->references--;
  free_if_unknown(i);
}

void inode_forget(struct inode *i, int client, uint64_t lookups) {
  struct seen *s = &i->seen[client];
  s->lookups = s->lookups > lookups ? s->lookups - lookups : 0;
  if (s->lookups == 0) {
    /* The kernel dropped it, as a client cancels locks it hasn't used for long. */
    i->attr_holders &= ~client_bit(client);
    for (int o = 0; o < i->object_count; o++)
      i->objects[o].readers &= ~client_bit(client);
    if (i->only_writer == client)
      i->only_writer = WRITERS_MANY;
  }
  free_if_unknown(i);
}

void inodes_each(void (*visit)(struct inode *, void *), void *arg) {
  for (int b = 0; b < BUCKETS; b++)
    for (struct inode *i = buckets[b], *next; i; i = next) {
      next = i->next;
      visit(i, arg);
    }
}

static void forget_one(struct inode *i, void *client) {
  if (i != root)
    inode_forget(i, *(int *)client, UINT64_MAX);
}

void inode_forget_all(int client) { inodes_each(forget_one, &client); }

struct fd_path inode_path(const struct inode *i) {
  struct fd_path p;
  snprintf(p.text, sizeof p.text, "/proc/self/fd/%d", i->fd);
  return p;
}
