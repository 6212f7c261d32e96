#include "revoke.h"
#include "call.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct revocation {
  struct revocation *next;
  struct inode *inode;
  char *name; /* NULL: the inode's pages */
  bool delivered;
  unsigned users; /* the deliverer and the one who waits */
};

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;

enum { PATIENCE_S = 1 };

void revoke_client_is_busy(void) {
  if (waiting > 0)
    pthread_cond_broadcast(&changed);
}

static void drop(struct revocation *r) {
  if (--r->users > 0)
    return;
  inode_release(r->inode);
  free(r->name);
  free(r);
}

static void deliver(struct client *c, const struct revocation *r) {
  uint64_t id = inode_node_id(r->inode);
  if (r->name)
    fuse_lowlevel_notify_inval_entry(c->session, id, r->name, strlen(r->name));
  else
    fuse_lowlevel_notify_inval_inode(c->session, id, 0, 0);
}

static void *deliver_all(void *arg) {
  struct revocations *queue = arg;
  model_lock();
  for (;;) {
    while (!queue->first)
      pthread_cond_wait(&queue->posted, model_mutex());
    struct revocation *r = queue->first;
    queue->first = r->next;
    model_unlock();
    deliver(queue->client, r);
    model_lock();
    r->delivered = true;
    pthread_cond_broadcast(&changed);
    drop(r);
  }
  return NULL;
}

static int start(struct revocations *queue, struct client *c) {
  pthread_t thread;
  queue->client = c;
  pthread_cond_init(&queue->posted, NULL);
  int error = pthread_create(&thread, NULL, deliver_all, queue);
  if (!error)
    pthread_detach(thread);
  return error;
}

int revoke_start(struct client *c) {
  int error = start(&c->pages, c);
  return error ? error : start(&c->names, c);
}

/* Under the lock. NULL without memory: the holder then keeps a stale cache, as a lost message. */
static struct revocation *post(struct client *c, struct inode *i, const char *name) {
  struct revocation *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  inode_retain(i);
  r->inode = i;
  r->name = name ? strdup(name) : NULL;
  r->users = 2;
  struct revocations *queue = name ? &c->names : &c->pages;
  struct revocation **end = &queue->first;
  while (*end)
    end = &(*end)->next;
  *end = r;
  pthread_cond_signal(&queue->posted);
  return r;
}

/* The holder's request may wait for us only if another revocation is waited for, too. */
static bool may_be_a_circle(const struct client *c, const struct revocation *r) {
  return waiting > 1 && r->inode->seen[c->index].busy > 0;
}

/* Under the lock, which is given up meanwhile. */
static void wait_delivered(struct client *c, struct revocation *r) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += PATIENCE_S;
  if (++waiting > 1)
    pthread_cond_broadcast(&changed);
  while (!r->delivered && !may_be_a_circle(c, r) && !c->dead)
    if (pthread_cond_timedwait(&changed, model_mutex(), &deadline) != 0)
      break;
  waiting--;
  drop(r);
}

static void post_all(struct inode *i, const char *name, uint64_t from) {
  struct revocation *posted[MAX_CLIENTS];
  for (int c = 0; c < client_count; c++) {
    bool tell = (from & client_bit(c)) && !clients[c].dead;
    posted[c] = tell ? post(&clients[c], i, name) : NULL;
  }
  for (int c = 0; c < client_count; c++)
    if (posted[c])
      wait_delivered(&clients[c], posted[c]);
}

void revoke_pages(struct inode *i, uint64_t from) {
  if (!from)
    return;
  model_lock();
  post_all(i, NULL, from);
  model_unlock();
}

void revoke_name(struct inode *dir, const char *name, struct inode *child, int by) {
  model_lock();
  uint64_t from = 0;
  for (int c = 0; c < client_count; c++)
    if (c != by && ((child && child->seen[c].lookups > 0) || dir->seen[c].busy > 0))
      from |= client_bit(c);
  post_all(dir, name, from);
  model_unlock();
}

void revoke_attributes(struct inode *i, int by, bool count) {
  model_lock();
  uint64_t from = i->attr_holders & ~(by >= 0 ? client_bit(by) : 0);
  i->attr_holders &= ~from;
  for (int c = 0; c < client_count; c++)
    if (count && (from & client_bit(c)))
      stats_count(c, KIND_ATTR_REVOKED, i->cls, 0);
  model_unlock();
  /* A negative offset leaves the pages alone, so this takes no lock of the holder's kernel. */
  for (int c = 0; c < client_count; c++)
    if ((from & client_bit(c)) && !clients[c].dead)
      fuse_lowlevel_notify_inval_inode(clients[c].session, inode_node_id(i), -1, 0);
}
