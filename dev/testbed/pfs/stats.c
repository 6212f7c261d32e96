#include "stats.h"

#include "classes.h"
#include "client_limit.h"
#include "times.h"

#include <stdbool.h>
#include <string.h>

enum { SIZES = 48 };

struct cell {
  uint64_t count;
  uint64_t bytes;
};

static struct cell cells[MAX_CLIENTS][KIND_COUNT][CLASS_MAX];
static struct times times[KIND_COUNT];
static uint64_t sizes[SIZE_KINDS][SIZES];

void stats_count(int client, enum kind kind, int cls, uint64_t bytes) {
  cells[client][kind][cls].count++;
  cells[client][kind][cls].bytes += bytes;
}

void stats_uncount(int client, enum kind kind, int cls) {
  /* 0 when a reset came between the two halves of an intent. */
  if (cells[client][kind][cls].count > 0)
    cells[client][kind][cls].count--;
}

void stats_time(enum kind kind, uint64_t service_ns, uint64_t wait_ns) {
  times_add(&times[kind], service_ns, wait_ns);
}

void stats_untime(enum kind kind, uint64_t service_ns, uint64_t wait_ns) {
  times_take_back(&times[kind], service_ns, wait_ns);
}

void stats_size(enum size_kind what, uint64_t bytes) {
  int octave = 0;
  while (octave < SIZES - 1 && ((uint64_t)1 << octave) < bytes)
    octave++;
  sizes[what][octave]++;
}

void stats_reset(void) {
  memset(cells, 0, sizeof cells);
  memset(times, 0, sizeof times);
  memset(sizes, 0, sizeof sizes);
}

/* What never was isn't told. */
static void tell(json_t *all, const char *name, uint64_t n) {
  if (n > 0)
    json_object_set_new(all, name, json_integer((json_int_t)n));
}

static json_t *cells_json(int client, bool bytes) {
  json_t *all = json_object();
  for (int k = 0; k < KIND_COUNT; k++) {
    json_t *of_kind = json_object();
    for (int c = 0; c < class_count(); c++)
      tell(of_kind, class_name(c), bytes ? cells[client][k][c].bytes : cells[client][k][c].count);
    if (json_object_size(of_kind) > 0)
      json_object_set(all, kinds[k].name, of_kind);
    json_decref(of_kind);
  }
  return all;
}

static json_t *clients_json(int clients) {
  json_t *all = json_array();
  for (int i = 0; i < clients; i++)
    json_array_append_new(all, json_pack("{s:i, s:o, s:o}", "client", i, "counts",
                                         cells_json(i, false), "bytes", cells_json(i, true)));
  return all;
}

static uint64_t total(int kind, int clients) {
  uint64_t n = 0;
  for (int i = 0; i < clients; i++)
    for (int c = 0; c < CLASS_MAX; c++)
      n += cells[i][kind][c].count;
  return n;
}

static json_t *service_json(void) {
  json_t *all = json_object();
  for (int k = 0; k < KIND_COUNT; k++)
    if (times[k].count > 0)
      json_object_set_new(all, kinds[k].name, times_json(&times[k]));
  return all;
}

static json_t *sizes_json(enum size_kind what) {
  json_t *all = json_object();
  char name[24];
  for (int i = 0; i < SIZES; i++) {
    snprintf(name, sizeof name, "%llu", 1ull << i);
    tell(all, name, sizes[what][i]);
  }
  return all;
}

json_t *stats_json(int clients) {
  json_int_t sides[] = {[METADATA] = 0, [DATA] = 0, [EVENT] = 0};
  json_t *totals = json_object();
  for (int k = 0; k < KIND_COUNT; k++) {
    uint64_t n = total(k, clients);
    sides[kinds[k].side] += (json_int_t)n;
    tell(totals, kinds[k].name, n);
  }
  return json_pack("{s:o, s:I, s:I, s:o, s:o, s:{s:o, s:o, s:o}}", "totals", totals,
                   "metadata_requests", sides[METADATA], "data_requests", sides[DATA], "clients",
                   clients_json(clients), "service", service_json(), "sizes", "read",
                   sizes_json(SIZE_READ), "write_call", sizes_json(SIZE_WRITE_CALL), "write",
                   sizes_json(SIZE_WRITE));
}
