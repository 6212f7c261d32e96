#include "model.h"

#include "clock.h"
#include "settings.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue mds[MAX_MDS];
static struct queue ost[MAX_OST];

void model_init(uint64_t seed) {
  for (unsigned i = 0; i < MAX_MDS; i++)
    queue_init(&mds[i], seed + i);
  for (unsigned i = 0; i < MAX_OST; i++)
    queue_init(&ost[i], seed + MAX_MDS + i);
}

void model_lock(void) { pthread_mutex_lock(&lock); }
void model_unlock(void) { pthread_mutex_unlock(&lock); }
pthread_mutex_t *model_mutex(void) { return &lock; }

static unsigned spread(ino_t ino, unsigned over) {
  return (unsigned)((ino * 0x9e3779b97f4a7c15u) >> 40) % over;
}

static struct charge admit(struct queue *q, const struct queue_shape *shape, double weight,
                           uint64_t bytes) {
  uint64_t now = now_ns();
  struct queue_ticket t = queue_admit(q, shape, now, weight, bytes);
  struct charge c = {.service_ns = t.service_ns, .done_ns = t.done_ns};
  if (t.done_ns > now + t.service_ns)
    c.wait_ns = t.done_ns - now - t.service_ns;
  return c;
}

struct charge model_mds(ino_t dir, double weight) {
  return admit(&mds[spread(dir, (unsigned)settings.mds_servers)], &settings.mds, weight, 0);
}

uint64_t model_ost(int server, int client, enum kind kind, int cls, uint64_t bytes) {
  struct charge c = admit(&ost[server], &settings.ost, settings.weight[kind], bytes);
  stats_count(client, kind, cls, bytes);
  stats_time(kind, c.service_ns, c.wait_ns);
  if (kind == KIND_READ)
    stats_size(SIZE_READ, bytes);
  if (kind == KIND_WRITE)
    stats_size(SIZE_WRITE, bytes);
  return c.done_ns;
}

int model_ost_of(ino_t file, int object) {
  unsigned servers = (unsigned)settings.ost_servers;
  return (int)((spread(file, servers) + (unsigned)object) % servers);
}

static void stall(struct queue *queues, int count, uint64_t until) {
  for (int i = 0; i < count; i++)
    queues[i].stalled_until = until;
}

void model_stall(int targets, uint64_t until) {
  if (targets & TARGET_MDS)
    stall(mds, MAX_MDS, until);
  if (targets & TARGET_OST)
    stall(ost, MAX_OST, until);
}
