#include "settings.h"

#include <math.h>
#include <string.h>

struct settings settings;

struct key {
  const char *name;
  double *value;
  double initial;
  double min;
  double max;
};

#define QUEUE_KEYS(prefix, shape, ghosts)                                                          \
  {prefix ".threads", &shape.threads, 4, 1, QUEUE_MAX_THREADS},                                    \
      {prefix ".median_us", &shape.median_us, 0, 0, 1e7},                                          \
      {prefix ".sigma", &shape.sigma, 0, 0, 3},                                                    \
      {prefix ".tail_chance", &shape.tail_chance, 0, 0, 1},                                        \
      {prefix ".tail_from_us", &shape.tail_from_us, 1000, 1, 1e8},                                 \
      {prefix ".tail_to_us", &shape.tail_to_us, 100000, 1, 1e8},                                   \
      {prefix ".ghost_ops", &shape.ghost_ops, 0, 0, 1e6}, {                                        \
    prefix ".ghost_bytes", &shape.ghost_bytes, ghosts, 0, 1e9                                      \
  }

static const struct key keys[] = {
    {"mds.servers", &settings.mds_servers, 1, 1, MAX_MDS},
    QUEUE_KEYS("mds", settings.mds, 0),
    {"ost.servers", &settings.ost_servers, 4, 1, MAX_OST},
    QUEUE_KEYS("ost", settings.ost, 1 << 20),
    {"ost.bandwidth_mb", &settings.ost.bandwidth_mb, 0, 0, 1e6},
    {"stripe.count", &settings.stripe_count, 1, 1, MAX_STRIPES},
    {"stripe.kb", &settings.stripe_kb, 1024, 64, 1 << 20},
    {"rpc.kb", &settings.rpc_kb, 1024, 4, 1 << 16},
    {"client.dirty_mb", &settings.client_dirty_mb, 32, 1, 1 << 20},
    {"client.dirty_age", &settings.client_dirty_age, 30, 0.1, 1e6},
    {"client.cache", &settings.client_cache, 1, 0, 1},
    {"client.fuse_us", &settings.fuse_us, 0, 0, 1e5},
    {"capacity.mb", &settings.capacity_mb, 0, 0, 1e12},
    {"capacity.inodes", &settings.capacity_inodes, 0, 0, 1e12},
    {"quota.mb", &settings.quota_mb, 0, 0, 1e12},
    {"quota.inodes", &settings.quota_inodes, 0, 0, 1e12},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static bool whole(const char *name) {
  return strstr(name, ".servers") || strstr(name, ".threads") || strstr(name, "stripe.") ||
         strstr(name, "rpc.") || strcmp(name, "client.cache") == 0;
}

/* Runs before main: the initial values stand in the table only. */
__attribute__((constructor)) static void initial_values(void) {
  for (int i = 0; i < KEYS; i++)
    *keys[i].value = keys[i].initial;
  for (int k = 0; k < KIND_COUNT; k++)
    settings.weight[k] = 1;
}

static const char *set_weight(const char *kind, double value) {
  int k = kind_named(kind);
  if (k < 0 || kinds[k].side == EVENT)
    return "no such kind of request";
  if (!(value >= 0 && value <= 100))
    return "a weight is between 0 and 100";
  settings.weight[k] = value;
  return NULL;
}

const char *settings_set(const char *key, double value) {
  static char why[160];
  if (strncmp(key, "weight.", 7) == 0)
    return set_weight(key + 7, value);
  for (int i = 0; i < KEYS; i++) {
    if (strcmp(keys[i].name, key) != 0)
      continue;
    if (!(value >= keys[i].min && value <= keys[i].max)) {
      snprintf(why, sizeof why, "%s is between %g and %g", key, keys[i].min, keys[i].max);
      return why;
    }
    if (whole(key) && value != floor(value))
      return "a whole number is wanted";
    *keys[i].value = value;
    return NULL;
  }
  return "no such setting";
}

json_t *settings_json(void) {
  json_t *all = json_object();
  char name[64];
  for (int i = 0; i < KEYS; i++)
    json_object_set_new(all, keys[i].name, json_real(*keys[i].value));
  for (int k = 0; k < KIND_COUNT; k++)
    if (kinds[k].side != EVENT) {
      snprintf(name, sizeof name, "weight.%s", kinds[k].name);
      json_object_set_new(all, name, json_real(settings.weight[k]));
    }
  return all;
}
