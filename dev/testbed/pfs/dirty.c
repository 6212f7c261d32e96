#include "dirty.h"

#include "clock.h"
#include "model.h"
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct extent {
  struct extent *next;
  int client;
  int object;
  int64_t from;
  int64_t to;
  uint64_t born;
  int64_t old_length; /* how much of [from, to) existed before, kept in `old` */
  char *old;
};

static struct inode *dirty_inodes; /* under the model's lock; each holds a reference */
static pthread_cond_t some_dirty = PTHREAD_COND_INITIALIZER;

static void list(struct inode *i) {
  model_lock();
  if (!i->in_dirty_list) {
    i->in_dirty_list = true;
    i->next_dirty = dirty_inodes;
    dirty_inodes = i;
    inode_retain(i);
    pthread_cond_signal(&some_dirty);
  }
  model_unlock();
}

static void unlist_if_clean(struct inode *i) {
  if (i->dirty)
    return;
  model_lock();
  if (i->in_dirty_list) {
    struct inode **at = &dirty_inodes;
    while (*at != i)
      at = &(*at)->next_dirty;
    *at = i->next_dirty;
    i->in_dirty_list = false;
    /* Never the last reference: whoever calls holds one too. */
    i->references--;
  }
  model_unlock();
}

static int open_backing(struct inode *i, int flags) {
  return open(inode_path(i).text, flags | O_CLOEXEC);
}

static int keep_old(struct inode *i, struct extent *e, int64_t size) {
  int64_t end = e->to < size ? e->to : size;
  if (end <= e->from)
    return 0;
  e->old = malloc((size_t)(end - e->from));
  int fd = open_backing(i, O_RDONLY);
  ssize_t n = e->old && fd >= 0 ? pread(fd, e->old, (size_t)(end - e->from), e->from) : -1;
  if (fd >= 0)
    close(fd);
  if (n < 0) {
    free(e->old);
    return EIO;
  }
  e->old_length = n;
  return 0;
}

static bool grows(const struct extent *e, int client, int object, int64_t from, int64_t size) {
  return e && e->client == client && e->object == object && e->to == from && from >= size;
}

int dirty_add(struct inode *i, int client, int object, int64_t from, int64_t length, int64_t size) {
  if (grows(i->dirty, client, object, from, size)) {
    i->dirty->to += length;
    return 0;
  }
  struct extent *e = calloc(1, sizeof *e);
  if (!e)
    return ENOMEM;
  *e = (struct extent){
      .client = client, .object = object, .from = from, .to = from + length, .born = now_ns()};
  int error = keep_old(i, e, size);
  if (error) {
    free(e);
    return error;
  }
  e->next = i->dirty;
  i->dirty = e;
  list(i);
  return 0;
}

static void free_extent(struct extent *e) {
  free(e->old);
  free(e);
}

static bool selected(const struct extent *e, int client, int object) {
  return (client < 0 || e->client == client) && (object < 0 || e->object == object);
}

static uint64_t send(struct inode *i, const struct extent *e) {
  uint64_t done = 0;
  int64_t request = (int64_t)(settings.rpc_kb * 1024);
  for (int64_t at = e->from; at < e->to; at += request) {
    int64_t bytes = e->to - at < request ? e->to - at : request;
    uint64_t d =
        model_ost(model_ost_of(i->ino, e->object), e->client, KIND_WRITE, i->cls, (uint64_t)bytes);
    done = d > done ? d : done;
  }
  return done;
}

uint64_t dirty_flush(struct inode *i, int client, int object) {
  uint64_t done = 0;
  for (struct extent **at = &i->dirty; *at;) {
    struct extent *e = *at;
    if (!selected(e, client, object)) {
      at = &e->next;
      continue;
    }
    model_lock();
    uint64_t d = send(i, e);
    model_unlock();
    done = d > done ? d : done;
    if (e->to > i->flushed_size)
      i->flushed_size = e->to;
    *at = e->next;
    free_extent(e);
  }
  unlist_if_clean(i);
  return done;
}

uint64_t dirty_flush_full(struct inode *i, int client, int object) {
  int64_t bytes = 0;
  for (const struct extent *e = i->dirty; e; e = e->next)
    if (selected(e, client, object))
      bytes += e->to - e->from;
  return bytes >= (int64_t)(settings.rpc_kb * 1024) ? dirty_flush(i, client, object) : 0;
}

void dirty_discard(struct inode *i) {
  while (i->dirty) {
    struct extent *e = i->dirty;
    i->dirty = e->next;
    free_extent(e);
  }
  unlist_if_clean(i);
}

static void undo(int fd, const struct extent *e) {
  if (e->old_length > 0 && pwrite(fd, e->old, (size_t)e->old_length, e->from) < 0)
    return;
  int64_t hole = e->from + e->old_length;
  if (e->to > hole)
    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, hole, e->to - hole);
}

bool dirty_lose(struct inode *i, int client) {
  bool any = false;
  int64_t end = i->flushed_size;
  int fd = open_backing(i, O_RDWR);
  for (struct extent **at = &i->dirty; *at;) {
    struct extent *e = *at;
    if (e->client != client) {
      end = e->to > end ? e->to : end;
      at = &e->next;
      continue;
    }
    any = true;
    undo(fd, e);
    *at = e->next;
    free_extent(e);
  }
  if (any && ftruncate(fd, end) != 0)
    any = true; /* the zeros that stay are as lost as a shorter file */
  if (fd >= 0)
    close(fd);
  unlist_if_clean(i);
  return any;
}

/* The first listed inode that `wanted` accepts after those seen before, with a reference. */
static struct inode *next_listed(uint64_t *seen) {
  model_lock();
  uint64_t n = 0;
  struct inode *i = dirty_inodes;
  while (i && n++ < *seen)
    i = i->next_dirty;
  if (i)
    inode_retain(i);
  model_unlock();
  return i;
}

static void let_go(struct inode *i) {
  model_lock();
  inode_release(i);
  model_unlock();
}

void dirty_lose_all(int client, void (*lost)(struct inode *, int client)) {
  uint64_t seen = 0;
  struct inode *i;
  while ((i = next_listed(&seen))) {
    pthread_mutex_lock(&i->data);
    bool any = dirty_lose(i, client);
    bool listed = i->dirty != NULL;
    pthread_mutex_unlock(&i->data);
    if (any)
      lost(i, client);
    if (listed)
      seen++;
    let_go(i);
  }
}

static void flush_old(struct inode *i, uint64_t age) {
  pthread_mutex_lock(&i->data);
  const struct extent *oldest = i->dirty;
  while (oldest && oldest->next)
    oldest = oldest->next;
  if (oldest && oldest->born + age < now_ns())
    dirty_flush(i, -1, -1);
  pthread_mutex_unlock(&i->data);
}

static void *age_all(void *unused) {
  (void)unused;
  for (;;) {
    model_lock();
    while (!dirty_inodes)
      pthread_cond_wait(&some_dirty, model_mutex());
    uint64_t age = (uint64_t)(settings.client_dirty_age * 1e9);
    model_unlock();
    sleep_until(now_ns() + (age < 4000000000u ? age / 4 : 1000000000u));
    uint64_t seen = 0;
    struct inode *i;
    while ((i = next_listed(&seen))) {
      flush_old(i, age);
      model_lock();
      if (i->in_dirty_list)
        seen++;
      model_unlock();
      let_go(i);
    }
  }
  return NULL;
}

int dirty_start_aging(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, age_all, NULL);
  if (!error)
    pthread_detach(thread);
  return error;
}
