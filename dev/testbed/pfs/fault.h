/* Faults that are switched on while it runs: rules that make matching requests fail.
 *
 * A rule matches by kind, path class and client (each may be "any"), lets `after` matches pass,
 * then fails `times` of them. An error of a rule on `fsync` or `close` appears only there, as on
 * Lustre: the writes before it succeeded, and their data is lost. Called under the model's lock.
 */
#ifndef PFS_FAULT_H
#define PFS_FAULT_H

#include "kinds.h"

#include <stdbool.h>
#include <stdio.h>

enum { ANY = -1 };

struct fault {
  int error;
  int kind;
  int cls;
  int client;
  long after;
  long times; /* ANY: without end */
};

/* False when there are too many rules. */
bool fault_add(struct fault rule);
void fault_clear(void);

/* The errno that this request gets, or 0. */
int fault_of(int client, enum kind kind, int cls);

/* errno values by name: EIO, ENOSPC, EDQUOT, ...; 0 when unknown. */
int fault_error(const char *name);

#endif
