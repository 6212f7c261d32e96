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

static void print_cells(FILE *out, int client, bool bytes) {
  bool first_kind = true;
  for (int k = 0; k < KIND_COUNT; k++) {
    bool open = false;
    for (int c = 0; c < class_count(); c++) {
      uint64_t n = bytes ? cells[client][k][c].bytes : cells[client][k][c].count;
      if (n == 0)
        continue;
      if (!open)
        fprintf(out, "%s\"%s\": {", first_kind ? "" : ", ", kinds[k].name);
      fprintf(out, "%s\"%s\": %llu", open ? ", " : "", class_name(c), (unsigned long long)n);
      open = true;
      first_kind = false;
    }
    if (open)
      fputc('}', out);
  }
}

static void print_clients(FILE *out, int clients) {
  fputs("\"clients\": [", out);
  for (int i = 0; i < clients; i++) {
    fprintf(out, "%s{\"client\": %d, \"counts\": {", i ? ", " : "", i);
    print_cells(out, i, false);
    fputs("}, \"bytes\": {", out);
    print_cells(out, i, true);
    fputs("}}", out);
  }
  fputs("], ", out);
}

static uint64_t total(int kind, int clients) {
  uint64_t n = 0;
  for (int i = 0; i < clients; i++)
    for (int c = 0; c < CLASS_MAX; c++)
      n += cells[i][kind][c].count;
  return n;
}

static void print_totals(FILE *out, int clients) {
  uint64_t sides[3] = {0, 0, 0};
  fputs("\"totals\": {", out);
  bool first = true;
  for (int k = 0; k < KIND_COUNT; k++) {
    uint64_t n = total(k, clients);
    sides[kinds[k].side] += n;
    if (n > 0)
      fprintf(out, "%s\"%s\": %llu", first ? "" : ", ", kinds[k].name, (unsigned long long)n);
    first = first && n == 0;
  }
  fprintf(out, "}, \"metadata_requests\": %llu, \"data_requests\": %llu, ",
          (unsigned long long)sides[METADATA], (unsigned long long)sides[DATA]);
}

static void print_times(FILE *out) {
  fputs("\"service\": {", out);
  bool first = true;
  for (int k = 0; k < KIND_COUNT; k++) {
    const struct times *t = &times[k];
    if (t->count == 0)
      continue;
    fprintf(out, "%s\"%s\": ", first ? "" : ", ", kinds[k].name);
    times_print(out, t);
    first = false;
  }
  fputs("}, ", out);
}

static void print_sizes(FILE *out) {
  static const char *const names[SIZE_KINDS] = {"read", "write_call", "write"};
  fputs("\"sizes\": {", out);
  for (int s = 0; s < SIZE_KINDS; s++) {
    fprintf(out, "%s\"%s\": {", s ? ", " : "", names[s]);
    bool first = true;
    for (int i = 0; i < SIZES; i++)
      if (sizes[s][i] > 0) {
        fprintf(out, "%s\"%llu\": %llu", first ? "" : ", ", 1ull << i,
                (unsigned long long)sizes[s][i]);
        first = false;
      }
    fputc('}', out);
  }
  fputc('}', out);
}

void stats_print(FILE *out, int clients) {
  print_totals(out, clients);
  print_clients(out, clients);
  print_times(out);
  print_sizes(out);
}
