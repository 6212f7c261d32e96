/* Time in nanoseconds on the monotonic clock, and sleeping until such a time without using CPU. */
#ifndef PFS_CLOCK_H
#define PFS_CLOCK_H

#include <stdint.h>

uint64_t now_ns(void);

/* Returns at or after `when`; at once when it has passed. Signals don't shorten it. */
void sleep_until(uint64_t when);

#endif
