#include "clock.h"

#include <errno.h>
#include <time.h>

uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void sleep_until(uint64_t when) {
  if (when <= now_ns())
    return;
  struct timespec t = {.tv_sec = (time_t)(when / 1000000000u),
                       .tv_nsec = (long)(when % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
  }
}
