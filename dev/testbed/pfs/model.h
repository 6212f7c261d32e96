/* The service model: all servers' queues, settings, statistics and locks, under one mutex.
 *
 * The mutex is held for computations only, never while sleeping, so one is enough. A request
 * computes its completion time under it, sleeps outside it, then does its work and replies.
 */
#ifndef PFS_MODEL_H
#define PFS_MODEL_H

#include "kinds.h"
#include "stats.h"

#include <pthread.h>

#include <stdint.h>
#include <sys/types.h>

enum target { TARGET_MDS = 1, TARGET_OST = 2 };

void model_init(uint64_t seed);

void model_lock(void);
void model_unlock(void);
pthread_mutex_t *model_mutex(void);

/* The rest is called under the lock. */

struct charge {
  uint64_t service_ns;
  uint64_t wait_ns;
  uint64_t done_ns;
};

/* A request of this weight to the metadata server of directory `dir`; not counted. */
struct charge model_mds(ino_t dir, double weight);

/* A data request to this object server, counted and timed. Returns when it is done. */
uint64_t model_ost(int server, int client, enum kind kind, int cls, uint64_t bytes);

/* The server of a file's n-th object. */
int model_ost_of(ino_t file, int object);

/* All queues of these targets serve nothing before `until`. */
void model_stall(int targets, uint64_t until);

#endif
