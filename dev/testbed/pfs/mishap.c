#include "mishap.h"

#include "call.h"
#include "clock.h"
#include "dirty.h"
#include "extent_lock.h"
#include "handle.h"
#include "locks.h"
#include "model.h"
#include "revoke.h"
#include "session.h"

#include <stdlib.h>

/* Inodes that were there at one moment, each with a reference. */
struct snapshot {
  struct inode **inode;
  size_t count;
  size_t room;
};

static void add(struct inode *i, void *arg) {
  struct snapshot *s = arg;
  if (s->count == s->room) {
    s->room = s->room ? 2 * s->room : 1024;
    s->inode = realloc(s->inode, s->room * sizeof *s->inode);
    if (!s->inode)
      abort();
  }
  inode_retain(i);
  s->inode[s->count++] = i;
}

static struct snapshot all_inodes(void) {
  struct snapshot s = {0};
  model_lock();
  inodes_each(add, &s);
  model_unlock();
  return s;
}

static void let_go(struct snapshot *s) {
  model_lock();
  for (size_t n = 0; n < s->count; n++)
    inode_release(s->inode[n]);
  model_unlock();
  free(s->inode);
}

static void lose_locks(int client) {
  struct snapshot s = all_inodes();
  for (size_t n = 0; n < s.count; n++) {
    struct inode *i = s.inode[n];
    model_lock();
    bool cached = i->seen[client].lookups > 0;
    extent_unlock_all(i, client);
    if (i->only_writer == client)
      i->only_writer = WRITERS_MANY;
    i->attr_holders &= ~client_bit(client);
    model_unlock();
    if (cached)
      revoke_pages(i, client_bit(client));
  }
  let_go(&s);
  locks_drop_client(client);
}

void mishap_evict(int client) {
  dirty_lose_all(client, handles_lost_data);
  lose_locks(client);
  model_lock();
  clients[client].evicted = true;
  model_unlock();
}

int mishap_kill(int client) {
  int error = session_abort(&clients[client]);
  if (error)
    return error;
  model_lock();
  clients[client].dead = true;
  revoke_client_is_busy();
  model_unlock();
  dirty_lose_all(client, handles_lost_data);
  lose_locks(client);
  return 0;
}

void mishap_stall(int client, int targets, double seconds) {
  model_lock();
  uint64_t until = now_ns() + (uint64_t)(seconds * 1e9);
  if (client >= 0)
    clients[client].stalled_until = until;
  else
    model_stall(targets, until);
  model_unlock();
}

void mishap_drop_caches(void) {
  struct snapshot s = all_inodes();
  for (size_t n = 0; n < s.count; n++) {
    struct inode *i = s.inode[n];
    pthread_mutex_lock(&i->data);
    dirty_flush(i, -1, -1);
    pthread_mutex_unlock(&i->data);
    model_lock();
    uint64_t knowing = 0;
    for (int c = 0; c < client_count; c++) {
      extent_unlock_all(i, c);
      if (i->seen[c].lookups > 0)
        knowing |= client_bit(c);
    }
    i->only_writer = i->only_writer == WRITERS_NONE ? WRITERS_NONE : WRITERS_MANY;
    model_unlock();
    if (S_ISREG(i->type))
      revoke_pages(i, knowing);
    revoke_attributes(i, -1, false);
  }
  let_go(&s);
}
