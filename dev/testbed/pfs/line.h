/* A control file: a Unix socket that takes a line and answers with one. */
#ifndef PFS_LINE_H
#define PFS_LINE_H

#include <stdio.h>

/* The socket, or -1 after it has said why not. `who` stands before that. */
int line_listen(const char *who, const char *path);

/* Reads one line from the connection, lets `answer` write the reply, and closes it. */
void line_answer(int connection, void (*answer)(const char *line, FILE *out));

/* The reply that says no. */
void line_refuse(FILE *out, const char *why);

#endif
