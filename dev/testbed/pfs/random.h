/* Random draws of the service model, from one seed, so that a run's draws can be repeated.
 *
 * Not thread-safe: each generator belongs to one queue and is used under the model's lock.
 */
#ifndef PFS_RANDOM_H
#define PFS_RANDOM_H

#include <stdint.h>

struct random {
  uint64_t state;
};

void random_seed(struct random *r, uint64_t seed);

/* In (0, 1): never 0, so that its logarithm exists. */
double random_uniform(struct random *r);

/* Lognormal with this median; sigma is the standard deviation of its logarithm. */
double random_lognormal(struct random *r, double median, double sigma);

/* Exponential with this mean: gaps between arrivals that know nothing of each other. */
double random_exponential(struct random *r, double mean);

/* Uniform in the logarithm between two positive bounds: a tail that spans decades. */
double random_loguniform(struct random *r, double from, double to);

#endif
