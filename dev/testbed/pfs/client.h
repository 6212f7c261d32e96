/* A client node: one mount of the file system, with what a Lustre client would keep to itself. */
#ifndef PFS_CLIENT_H
#define PFS_CLIENT_H

#include "client_limit.h"
#include "intent.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct fuse_session;
struct revocation;

/* What its kernel is still to be told, in order, by a thread of its own; see revoke.h. */
struct revocations {
  struct client *client;
  struct revocation *first;
  pthread_cond_t posted;
};

struct client {
  int index;
  struct fuse_session *session;
  pthread_t loop;
  bool dead;              /* its mount was made to die */
  bool evicted;           /* its next request fails, once */
  uint64_t stalled_until; /* its requests wait until then */
  struct intents intents;
  struct revocations pages;
  struct revocations names;
};

extern struct client clients[MAX_CLIENTS];
extern int client_count;

static inline uint64_t client_bit(int index) { return (uint64_t)1 << index; }

#endif
