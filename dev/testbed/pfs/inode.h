/* The shared table of inodes: one entry per file that some client knows or that has dirty data.
 *
 * 1. A node id of any mount is a pointer to an entry (the root has FUSE_ROOT_ID).
 * 2. An entry lives while a client's kernel remembers it (`lookups`), or somebody holds a
 * reference.
 * 3. `fd` is an O_PATH descriptor, so an unlinked file stays reachable as on a real client.
 * 4. `data` guards the file's contents, size and dirty extents. Order: `data` before the model's
 *    lock. Everything else is guarded by the model's lock.
 */
#ifndef PFS_INODE_H
#define PFS_INODE_H

#include "client.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct extent;

/* One object of a striped file: who holds its extent lock. */
struct object {
  uint64_t readers;
  int writer; /* -1: nobody */
};

enum { WRITERS_NONE = -2, WRITERS_MANY = -1 };

struct inode {
  struct inode *next;
  ino_t ino;
  int fd;
  mode_t type; /* S_IFMT part */
  unsigned references;
  unsigned opens;
  int cls;
  ino_t placed;          /* the directory it was found in: decides its metadata server */
  uint64_t attr_holders; /* clients whose kernel caches its attributes */
  bool unlinked;
  uint64_t charged; /* 512-byte blocks that it counts for in the usage */
  struct object *objects;
  int object_count;
  int64_t stripe_bytes;
  int only_writer; /* the client that wrote every byte, or WRITERS_* */
  pthread_mutex_t data;
  struct extent *dirty; /* newest first */
  int64_t flushed_size; /* what the object servers know of its length */
  struct inode *next_dirty;
  bool in_dirty_list;
  struct seen {
    uint64_t lookups;
    unsigned busy; /* requests in flight on it */
  } seen[];        /* per client */
};

/* Opens the backing directory as root. Returns 0 or an errno. */
int inodes_init(const char *backing);

struct inode *inode_of(uint64_t node_id);
uint64_t inode_node_id(const struct inode *i);

/* Finds the child's entry or makes one, and counts a lookup of `client` (when `client` >= 0).
 * 0 or an errno; with a reference taken when `client` < 0. Takes the model's lock. */
int inode_find(struct inode *parent, const char *name, int client, struct inode **found,
               struct stat *st);

/* Under the model's lock. */
void inode_retain(struct inode *i);
void inode_release(struct inode *i);
void inode_forget(struct inode *i, int client, uint64_t lookups);
void inode_forget_all(int client);
void inodes_each(void (*visit)(struct inode *, void *), void *arg);

/* "/proc/self/fd/N", through which an O_PATH descriptor is reopened. */
struct fd_path {
  char text[40];
};
struct fd_path inode_path(const struct inode *i);

#endif
