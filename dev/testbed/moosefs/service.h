/* The metadata service as the proxy plays it: when may a request go on to the
 * real master, and what was asked by whom.
 *
 * 1. All nodes' requests wait in one queue (queue.h); every request is one
 * draw.
 * 2. What the real master and the mount take anyway (`mds.bare_us`) comes off
 * each wait, not off the service: the threads are as busy as the settings say.
 */
#ifndef MOOSEFS_SERVICE_H
#define MOOSEFS_SERVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { SERVICE_NODES = 64 };

void service_init(uint64_t seed, int nodes);

/* Whether a packet of this type asks the master for something and waits for the
 * answer. */
bool service_is_request(uint32_t type);

/* Counts a node's request that arrives now; when it may go on, on the monotonic
 * clock. */
uint64_t service_admit(int node, uint32_t type, uint64_t now);

/* NULL, or why it was refused. */
const char *service_set(const char *key, double value);

json_t *service_settings(void);
json_t *service_stats(void);

void service_reset(void);

#endif
