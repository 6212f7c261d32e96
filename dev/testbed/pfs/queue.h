/* One server's queue: first come, first served by `threads` service threads.
 *
 * 1. The completion time of a request is known when it arrives; whoever sent it sleeps until then.
 *    So a request that waits costs no CPU, and an idle queue costs nothing at all.
 * 2. Service times are lognormal. Rarely (`tail_chance`) a request takes a time from the tail
 *    instead, up to `tail_to_us`, which nothing exceeds. The tail stands for waits outside the
 *    server's threads (journal commits, retransmissions), so it doesn't hold one of them.
 * 3. Ghosts are the requests of clients that aren't on this machine: `ghost_ops` a second, arriving
 *    at random, served by the same threads. They are caught up with when a real request arrives.
 *    A ghost gives up when the queue is `ghost_patience` long: real clients don't send for ever
 *    either, and without it an overloaded queue would never be served again.
 * 4. With a bandwidth, the bytes then pass one link, one request after another.
 *
 * Not thread-safe: called under the model's lock.
 */
#ifndef PFS_QUEUE_H
#define PFS_QUEUE_H

#include "random.h"

#include <stdint.h>

enum { QUEUE_MAX_THREADS = 256 };

struct queue_shape {
  double threads;
  double median_us;
  double sigma;
  double tail_chance;
  double tail_from_us;
  double tail_to_us;
  double ghost_ops;
  double ghost_bytes;
  double bandwidth_mb; /* MB (10^6 bytes) per second; 0 = no limit */
};

struct queue {
  uint64_t thread_free[QUEUE_MAX_THREADS];
  uint64_t link_free;
  uint64_t stalled_until;
  uint64_t next_ghost;
  struct random random;
};

struct queue_ticket {
  uint64_t service_ns; /* drawn for this request */
  uint64_t done_ns;    /* when its reply is there, on the monotonic clock */
};

void queue_init(struct queue *q, uint64_t seed);

/* One request of `weight` (1 = an open) carrying `bytes`, arriving now. */
struct queue_ticket queue_admit(struct queue *q, const struct queue_shape *shape, uint64_t now,
                                double weight, uint64_t bytes);

#endif
