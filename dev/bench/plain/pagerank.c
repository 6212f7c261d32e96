/*
 * PageRank of an edge list on one thread, as plain as it gets: what a graph system is to be compared with
 * (McSherry, Isard, Murray: Scalability! But at what COST?, HotOS'15).
 *
 *   pagerank FILE ITERATIONS
 *
 * FILE has two vertex ids, not negative, in each line; lines that begin with # are comments. Ranks are those of GraphX's
 * static PageRank, scaled to the number of vertices. Prints CPU milliseconds for loading and for an iteration, then
 * the ten highest ranks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void *need(void *memory)
{
    if (!memory) {
        fputs("pagerank: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static char *contents(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(path);
        exit(1);
    }
    long size = ftell(file);
    rewind(file);
    char *text = need(malloc(size + 1));
    if (fread(text, 1, size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    text[size] = 0;
    fclose(file);
    return text;
}

/* Reads the next number and goes behind it. */
static unsigned number(char **at)
{
    unsigned value = 0;
    while (**at == ' ' || **at == '\t')
        ++*at;
    while (**at >= '0' && **at <= '9')
        value = value * 10 + (unsigned)(*(*at)++ - '0');
    return value;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: pagerank FILE ITERATIONS\n", stderr);
        return 2;
    }
    double began = cpu();
    char *text = contents(argv[1]);
    size_t edges = 0, room = 1 << 20;
    unsigned *from = need(malloc(room * sizeof *from)), *to = need(malloc(room * sizeof *to)), last = 0;
    for (char *at = text; *at;) {
        if (*at != '#' && *at != '\n') {
            if (edges == room) {
                room *= 2;
                from = need(realloc(from, room * sizeof *from));
                to = need(realloc(to, room * sizeof *to));
            }
            from[edges] = number(&at);
            to[edges] = number(&at);
            if (from[edges] > last)
                last = from[edges];
            if (to[edges] > last)
                last = to[edges];
            edges++;
        }
        char *end = strchr(at, '\n');
        at = end ? end + 1 : at + strlen(at);
    }
    free(text);

    size_t vertices = 0, slots = (size_t)last + 1;
    size_t *row = need(calloc(slots + 1, sizeof *row));
    unsigned *column = need(malloc(edges * sizeof *column));
    char *there = need(calloc(slots, 1));
    for (size_t e = 0; e < edges; e++) {
        row[from[e] + 1]++;
        there[from[e]] = there[to[e]] = 1;
    }
    for (size_t v = 0; v < slots; v++) {
        row[v + 1] += row[v];
        vertices += there[v];
    }
    for (size_t e = 0; e < edges; e++)
        column[row[from[e]]++] = to[e];
    memmove(row + 1, row, slots * sizeof *row);
    row[0] = 0;
    free(from);
    free(to);
    double loaded = cpu();

    double *rank = need(malloc(slots * sizeof *rank)), *sum = need(malloc(slots * sizeof *sum));
    for (size_t v = 0; v < slots; v++)
        rank[v] = there[v];
    int iterations = atoi(argv[2]);
    for (int i = 0; i < iterations; i++) {
        memset(sum, 0, slots * sizeof *sum);
        for (size_t v = 0; v < slots; v++) {
            if (row[v] == row[v + 1])
                continue;
            double share = rank[v] / (double)(row[v + 1] - row[v]);
            for (size_t e = row[v]; e < row[v + 1]; e++)
                sum[column[e]] += share;
        }
        for (size_t v = 0; v < slots; v++)
            rank[v] = there[v] ? 0.15 + 0.85 * sum[v] : 0;
    }
    double ended = cpu(), total = 0;
    for (size_t v = 0; v < slots; v++)
        total += rank[v];
    printf("%zu edges, %zu vertices, load %.0f ms, iteration %.2f ms\n", edges, vertices, loaded - began,
           iterations > 0 ? (ended - loaded) / iterations : 0);
    for (int n = 0; n < 10 && (size_t)n < vertices; n++) {
        size_t best = 0;
        for (size_t v = 1; v < slots; v++)
            if (rank[v] > rank[best])
                best = v;
        printf("%zu %.9f\n", best, rank[best] * (double)vertices / total);
        rank[best] = -1;
    }
    return 0;
}
