#include "times.h"

#include <math.h>

static int bin_of(double us) {
  if (us < 1)
    return 0;
  int b = (int)(log2(us) * BINS_PER_OCTAVE);
  return b < BINS ? b : BINS - 1;
}

void times_add(struct times *t, uint64_t service_ns, uint64_t wait_ns) {
  double us = (double)service_ns / 1000;
  t->count++;
  t->sum_us += us;
  t->wait_us += (double)wait_ns / 1000;
  t->bin[bin_of(us)]++;
  if (us > t->max_us)
    t->max_us = us;
}

void times_take_back(struct times *t, uint64_t service_ns, uint64_t wait_ns) {
  double us = (double)service_ns / 1000;
  if (t->bin[bin_of(us)] == 0)
    return;
  t->count--;
  t->sum_us -= us;
  t->wait_us -= (double)wait_ns / 1000;
  t->bin[bin_of(us)]--;
}

static double quantile_us(const struct times *t, double q) {
  uint64_t below = 0;
  for (int b = 0; b < BINS; b++) {
    below += t->bin[b];
    if ((double)below >= q * (double)t->count && below > 0) {
      double middle = b == 0 && t->max_us < 1 ? t->max_us : exp2((b + 0.5) / BINS_PER_OCTAVE);
      return middle < t->max_us ? middle : t->max_us;
    }
  }
  return 0;
}

json_t *times_json(const struct times *t) {
  double count = t->count > 0 ? (double)t->count : 1;
  return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f}", "count", (json_int_t)t->count, "median_us",
                   quantile_us(t, 0.5), "mean_us", t->sum_us / count, "p99_us",
                   quantile_us(t, 0.99), "max_us", t->max_us, "mean_wait_us", t->wait_us / count);
}
