#include "stats.h"

#include "classes.h"
#include "client_limit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Service times are kept in bins of 1/8 octave from 1 us: a median read off them is true to 9%. */
enum { BINS_PER_OCTAVE = 8, BINS = 28 * BINS_PER_OCTAVE, SIZES = 48 };

struct cell {
  uint64_t count;
  uint64_t bytes;
};

struct times {
  uint64_t count;
  double sum_us;
  double wait_us;
  double max_us;
  uint64_t bin[BINS];
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

static int bin_of(double us) {
  if (us < 1)
    return 0;
  int b = (int)(log2(us) * BINS_PER_OCTAVE);
  return b < BINS ? b : BINS - 1;
}

void stats_time(enum kind kind, uint64_t service_ns, uint64_t wait_ns) {
  struct times *t = &times[kind];
  double us = (double)service_ns / 1000;
  t->count++;
  t->sum_us += us;
  t->wait_us += (double)wait_ns / 1000;
  t->bin[bin_of(us)]++;
  if (us > t->max_us)
    t->max_us = us;
}

void stats_untime(enum kind kind, uint64_t service_ns, uint64_t wait_ns) {
  struct times *t = &times[kind];
  double us = (double)service_ns / 1000;
  if (t->bin[bin_of(us)] == 0)
    return;
  t->count--;
  t->sum_us -= us;
  t->wait_us -= (double)wait_ns / 1000;
  t->bin[bin_of(us)]--;
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
    fprintf(out,
            "%s\"%s\": {\"count\": %llu, \"median_us\": %.1f, \"mean_us\": %.1f, \"p99_us\": %.1f, "
            "\"max_us\": %.1f, \"mean_wait_us\": %.1f}",
            first ? "" : ", ", kinds[k].name, (unsigned long long)t->count, quantile_us(t, 0.5),
            t->sum_us / (double)t->count, quantile_us(t, 0.99), t->max_us,
            t->wait_us / (double)t->count);
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
