#include "extent_lock.h"

#include "dirty.h"
#include "model.h"
#include "settings.h"

#include <stdlib.h>

static void lay_out(struct inode *i) {
  if (i->objects)
    return;
  i->object_count = (int)settings.stripe_count;
  i->stripe_bytes = (int64_t)(settings.stripe_kb * 1024);
  i->objects = calloc((size_t)i->object_count, sizeof *i->objects);
  if (!i->objects)
    abort();
  for (int o = 0; o < i->object_count; o++)
    i->objects[o].writer = -1;
}

struct object_range objects_of(struct inode *i, int64_t from, int64_t to) {
  model_lock();
  lay_out(i);
  model_unlock();
  int64_t first = from / i->stripe_bytes;
  int64_t last = to > from ? (to - 1) / i->stripe_bytes : first;
  int64_t count = last - first + 1;
  return (struct object_range){.first = (int)(first % i->object_count),
                               .count = count < i->object_count ? (int)count : i->object_count};
}

static bool held(const struct object *o, int client, bool write) {
  return o->writer == client || (!write && (o->readers & client_bit(client)));
}

static void count_revoked(const struct inode *i, uint64_t from) {
  for (int c = 0; c < client_count; c++)
    if (from & client_bit(c))
      stats_count(c, KIND_EXTENT_REVOKED, i->cls, 0);
}

/* Returns the clients that lose their pages. */
static uint64_t take(struct call *c, int n, bool write) {
  struct inode *i = c->inode;
  struct object *o = &i->objects[n];
  int me = c->client->index;
  int writer = o->writer;
  if (writer >= 0 && writer != me)
    call_wait_for(c, dirty_flush(i, writer, n));
  model_lock();
  uint64_t others = (o->readers | (writer >= 0 ? client_bit(writer) : 0)) & ~client_bit(me);
  uint64_t lose = write ? others : 0;
  count_revoked(i, write ? others : (writer >= 0 ? client_bit(writer) : 0));
  if (write) {
    o->writer = me;
    o->readers = 0;
  } else {
    /* The writer keeps what it has in its cache and may go on reading. */
    o->readers = (others | client_bit(me));
    o->writer = -1;
  }
  call_wait_for(c, model_ost(model_ost_of(i->ino, n), me, KIND_ENQUEUE, i->cls, 0));
  model_unlock();
  return lose;
}

uint64_t extent_lock(struct call *c, int64_t from, int64_t to, bool write) {
  struct object_range range = objects_of(c->inode, from, to);
  uint64_t lose = 0;
  for (int k = 0; k < range.count; k++) {
    int n = (range.first + k) % c->inode->object_count;
    model_lock();
    bool have = held(&c->inode->objects[n], c->client->index, write);
    model_unlock();
    if (!have)
      lose |= take(c, n, write);
  }
  return lose;
}

void extent_unlock_all(struct inode *i, int client) {
  for (int o = 0; o < i->object_count; o++) {
    i->objects[o].readers &= ~client_bit(client);
    if (i->objects[o].writer == client)
      i->objects[o].writer = -1;
  }
}
