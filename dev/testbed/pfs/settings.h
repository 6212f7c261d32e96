/* The settings: one flat table of numeric keys with bounds, readable and settable while it runs.
 *
 * A value outside its bounds, or an unknown key, is refused; nothing is corrected silently.
 * Read and written under the model's lock.
 */
#ifndef PFS_SETTINGS_H
#define PFS_SETTINGS_H

#include "kinds.h"
#include "queue.h"

#include <jansson.h>
#include <stdbool.h>

enum { MAX_MDS = 16, MAX_OST = 64, MAX_STRIPES = 64 };

struct settings {
  double mds_servers;
  struct queue_shape mds;
  double ost_servers;
  struct queue_shape ost;
  double weight[KIND_COUNT]; /* service time relative to an open's or a read's */
  double stripe_count; /* objects per file, for files whose data is first touched from now on */
  double stripe_kb;
  double rpc_kb;           /* largest data request */
  double client_dirty_mb;  /* what a client may write ahead of the object servers */
  double client_dirty_age; /* seconds after which dirty data is sent anyway */
  double client_cache;     /* 0: nothing that was read or written stays cached on a client */
  double fuse_us;          /* what FUSE itself costs here; taken off each wait */
  double capacity_mb;      /* shown by statfs; ENOSPC beyond; 0 = the backing file system's */
  double capacity_inodes;
  double quota_mb; /* not shown by statfs; EDQUOT beyond; 0 = none */
  double quota_inodes;
};

extern struct settings settings;

/* NULL, or why it was refused. */
const char *settings_set(const char *key, double value);

json_t *settings_json(void);

#endif
