/* Times of requests in a server: count, mean, worst, and quantiles that are true to 9%.
 *
 * They are the model's own (drawn service, computed wait), not what a clock measured.
 */
#ifndef PFS_TIMES_H
#define PFS_TIMES_H

#include <jansson.h>
#include <stdint.h>

/* Bins of 1/8 octave from 1 us. */
enum { BINS_PER_OCTAVE = 8, BINS = 28 * BINS_PER_OCTAVE };

struct times {
  uint64_t count;
  double sum_us;
  double wait_us;
  double max_us;
  uint64_t bin[BINS];
};

/* One request: drawn service, and what it waited for others. */
void times_add(struct times *t, uint64_t service_ns, uint64_t wait_ns);
void times_take_back(struct times *t, uint64_t service_ns, uint64_t wait_ns);

json_t *times_json(const struct times *t);

#endif
