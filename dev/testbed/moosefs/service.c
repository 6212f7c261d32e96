#include "service.h"

#include "queue.h"
#include "times.h"

#include <math.h>
#include <string.h>

/* A mount looks a name up, and asks for what is to be done with it in a second request; Lustre does
 * both in one. So the lookup takes the time of an open, and these what they take more than that. */
static const uint32_t after_lookup[] = {
    414 /* symlink */, 416 /* mknod */,      418 /* mkdir */,      420 /* unlink */,
    424 /* rename */,  426 /* link */,       432 /* read chunk */, 434 /* write chunk */,
    482 /* create */,  436 /* chunk ends */,
};

/* The mount doesn't wait for its answer, and what it sends next relies on it having arrived. */
static const uint32_t open_request = 430;

/* MooseFS numbers a client's requests evenly from 402 (statfs) to 498 (fsync);
 * each answer is one more. Registrations, keep-alives and lists of open files
 * stand outside, and aren't held up. */
enum { FIRST_REQUEST = 402, LAST_REQUEST = 498, TYPES = (LAST_REQUEST - FIRST_REQUEST) / 2 + 1 };

static struct queue queue;
static struct queue_shape shape;
static double bare_us;
static double after_lookup_weight;
static int node_count;
static uint64_t counts[SERVICE_NODES][TYPES];
static struct times times;

static const struct key {
  const char *name;
  double *value;
  double initial;
  double min;
  double max;
} keys[] = {
    {"mds.threads", &shape.threads, 4, 1, QUEUE_MAX_THREADS},
    {"mds.median_us", &shape.median_us, 0, 0, 1e7},
    {"mds.sigma", &shape.sigma, 0, 0, 3},
    {"mds.tail_chance", &shape.tail_chance, 0, 0, 1},
    {"mds.tail_from_us", &shape.tail_from_us, 1000, 1, 1e8},
    {"mds.tail_to_us", &shape.tail_to_us, 100000, 1, 1e8},
    {"mds.ghost_ops", &shape.ghost_ops, 0, 0, 1e6},
    {"mds.after_lookup", &after_lookup_weight, 0.3, 0, 100},
    {"mds.bare_us", &bare_us, 0, 0, 1e5},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

void service_init(uint64_t seed, int nodes) {
  queue_init(&queue, seed);
  node_count = nodes;
  for (int i = 0; i < KEYS; i++)
    *keys[i].value = keys[i].initial;
}

bool service_is_request(uint32_t type) {
  return type >= FIRST_REQUEST && type <= LAST_REQUEST && type % 2 == 0;
}

static double weight(uint32_t type) {
  for (unsigned i = 0; i < sizeof after_lookup / sizeof after_lookup[0]; i++)
    if (after_lookup[i] == type)
      return after_lookup_weight;
  return 1;
}

uint64_t service_admit(int node, uint32_t type, uint64_t now) {
  counts[node][(type - FIRST_REQUEST) / 2]++;
  if (type == open_request)
    return now;
  struct queue_ticket ticket = queue_admit(&queue, &shape, now, weight(type), 0);
  times_add(&times, ticket.service_ns, ticket.done_ns - now - ticket.service_ns);
  uint64_t bare_ns = (uint64_t)(bare_us * 1000);
  return ticket.done_ns > now + bare_ns ? ticket.done_ns - bare_ns : now;
}

const char *service_set(const char *name, double value) {
  for (int i = 0; i < KEYS; i++) {
    if (strcmp(keys[i].name, name) != 0)
      continue;
    if (!(value >= keys[i].min && value <= keys[i].max))
      return "out of bounds";
    if (keys[i].value == &shape.threads && value != floor(value))
      return "a whole number is wanted";
    *keys[i].value = value;
    return NULL;
  }
  return "no such setting";
}

json_t *service_settings(void) {
  json_t *all = json_object();
  for (int i = 0; i < KEYS; i++)
    json_object_set_new(all, keys[i].name, json_real(*keys[i].value));
  return all;
}

json_t *service_stats(void) {
  json_t *clients = json_array();
  char type[8];
  for (int n = 0; n < node_count; n++) {
    json_t *client = json_object();
    for (int t = 0; t < TYPES; t++) {
      snprintf(type, sizeof type, "%d", FIRST_REQUEST + 2 * t);
      if (counts[n][t] > 0)
        json_object_set_new(client, type, json_integer((json_int_t)counts[n][t]));
    }
    json_array_append_new(clients, client);
  }
  return json_pack("{s:o, s:o}", "service", times_json(&times), "clients", clients);
}

void service_reset(void) {
  memset(counts, 0, sizeof counts);
  memset(&times, 0, sizeof times);
}
