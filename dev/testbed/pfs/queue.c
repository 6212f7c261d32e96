#include "queue.h"

#include <string.h>

static const uint64_t ghost_patience = 100 * 1000 * 1000;
static const uint64_t ghost_memory = 250 * 1000 * 1000;

void queue_init(struct queue *q, uint64_t seed) {
  memset(q, 0, sizeof *q);
  random_seed(&q->random, seed);
}

static uint64_t *earliest_thread(struct queue *q, const struct queue_shape *shape) {
  int threads = (int)shape->threads;
  uint64_t *best = &q->thread_free[0];
  for (int i = 1; i < threads; i++)
    if (q->thread_free[i] < *best)
      best = &q->thread_free[i];
  return best;
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t draw_ns(struct queue *q, const struct queue_shape *shape, double weight) {
  if (shape->median_us <= 0)
    return 0;
  double us = random_lognormal(&q->random, shape->median_us, shape->sigma) * weight;
  if (shape->tail_to_us > 0 && us > shape->tail_to_us)
    us = shape->tail_to_us;
  return (uint64_t)(us * 1000);
}

static uint64_t draw_tail_ns(struct queue *q, const struct queue_shape *shape) {
  if (shape->tail_chance <= 0 || random_uniform(&q->random) >= shape->tail_chance)
    return 0;
  return (uint64_t)(random_loguniform(&q->random, shape->tail_from_us, shape->tail_to_us) * 1000);
}

static uint64_t serve(struct queue *q, const struct queue_shape *shape, uint64_t arrival,
                      uint64_t service, double bytes) {
  uint64_t *thread = earliest_thread(q, shape);
  uint64_t done = later(later(arrival, *thread), q->stalled_until) + service;
  *thread = done;
  if (bytes > 0 && shape->bandwidth_mb > 0) {
    done = later(done, q->link_free) + (uint64_t)(bytes * 1000 / shape->bandwidth_mb);
    q->link_free = done;
  }
  return done;
}

static void serve_ghosts(struct queue *q, const struct queue_shape *shape, uint64_t now) {
  if (shape->ghost_ops <= 0)
    return;
  double mean_gap = 1e9 / shape->ghost_ops;
  /* What arrived long ago has been served by now: forgetting it keeps the catching-up short. */
  if (q->next_ghost + ghost_memory < now)
    q->next_ghost = now - ghost_memory;
  while (q->next_ghost <= now) {
    uint64_t arrival = q->next_ghost;
    q->next_ghost += 1 + (uint64_t)random_exponential(&q->random, mean_gap);
    if (*earliest_thread(q, shape) < arrival + ghost_patience)
      serve(q, shape, arrival, draw_ns(q, shape, 1), shape->ghost_bytes);
  }
}

struct queue_ticket queue_admit(struct queue *q, const struct queue_shape *shape, uint64_t now,
                                double weight, uint64_t bytes) {
  serve_ghosts(q, shape, now);
  uint64_t service = draw_ns(q, shape, weight);
  uint64_t tail = draw_tail_ns(q, shape);
  uint64_t done = serve(q, shape, now, service, (double)bytes);
  if (tail > service) {
    done += tail - service;
    service = tail;
  }
  return (struct queue_ticket){.service_ns = service, .done_ns = done};
}
