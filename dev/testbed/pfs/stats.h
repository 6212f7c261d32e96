/* What was asked of the servers: exact counts per client, kind and path class; sizes; service
 * times.
 *
 * Times here are the model's own (drawn service, computed wait), not what a clock measured: they
 * don't depend on how busy this machine is. All functions are called under the model's lock.
 */
#ifndef PFS_STATS_H
#define PFS_STATS_H

#include "kinds.h"

#include <jansson.h>
#include <stdint.h>

enum size_kind { SIZE_READ, SIZE_WRITE_CALL, SIZE_WRITE, SIZE_KINDS };

/* One request or event. */
void stats_count(int client, enum kind kind, int cls, uint64_t bytes);

/* Takes one request back: a lookup that turned out to be the first half of an intent. */
void stats_uncount(int client, enum kind kind, int cls);

/* The times of one request: drawn service, and what it waited for others. */
void stats_time(enum kind kind, uint64_t service_ns, uint64_t wait_ns);
void stats_untime(enum kind kind, uint64_t service_ns, uint64_t wait_ns);

/* SIZE_WRITE_CALL is what a program wrote at a time; SIZE_WRITE what was sent to an object server.
 */
void stats_size(enum size_kind what, uint64_t bytes);

void stats_reset(void);

json_t *stats_json(int clients);

#endif
