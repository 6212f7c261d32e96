/* A control file: a Unix socket that takes a JSON object on a line and answers with one. */
#ifndef PFS_LINE_H
#define PFS_LINE_H

#include <jansson.h>

/* The socket, or -1 after it has said why not. `who` stands before that. */
int line_listen(const char *who, const char *path);

/* Reads one line from the connection, writes what `answer` replies to it, and closes it. */
void line_answer(int connection, json_t *(*answer)(json_t *request));

/* The reply that says no. */
__attribute__((format(printf, 1, 2))) json_t *line_refuse(const char *why, ...);

/* Sets all members but the verb, until `set` says why one is refused. */
json_t *line_set(json_t *request, const char *(*set)(const char *key, double value));

#endif
