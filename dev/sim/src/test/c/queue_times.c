/* Prints the times at which one of the emulator's queues is done with requests.
 *
 * queue_times SEED THREADS MEDIAN SIGMA CHANCE FROM TO BANDWIDTH < lines of "ARRIVAL_NS WEIGHT BYTES"
 */
#include "queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static struct queue q;
  uint64_t arrival, bytes;
  double weight;
  if (argc != 9)
    return 2;
  struct queue_shape shape = {.threads = atof(argv[2]),
                              .median_us = atof(argv[3]),
                              .sigma = atof(argv[4]),
                              .tail_chance = atof(argv[5]),
                              .tail_from_us = atof(argv[6]),
                              .tail_to_us = atof(argv[7]),
                              .bandwidth_mb = atof(argv[8])};
  queue_init(&q, strtoull(argv[1], NULL, 10));
  while (scanf("%" SCNu64 " %lf %" SCNu64, &arrival, &weight, &bytes) == 3)
    printf("%" PRIu64 "\n", queue_admit(&q, &shape, arrival, weight, bytes).done_ns);
  return 0;
}
