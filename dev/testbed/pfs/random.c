#include "random.h"

#include <math.h>

static const double two_pi = 6.283185307179586;

void random_seed(struct random *r, uint64_t seed) { r->state = seed; }

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). */
static uint64_t next(struct random *r) {
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double random_uniform(struct random *r) {
  return ((double)(next(r) >> 11) + 0.5) / 9007199254740992.0;
}

double random_lognormal(struct random *r, double median, double sigma) {
  double radius = sqrt(-2 * log(random_uniform(r)));
  return median * exp(sigma * radius * cos(two_pi * random_uniform(r)));
}

double random_exponential(struct random *r, double mean) { return -mean * log(random_uniform(r)); }

double random_loguniform(struct random *r, double from, double to) {
  return from * exp(random_uniform(r) * log(to / from));
}
