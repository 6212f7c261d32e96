/* Intent requests: a lookup and the open, create or mkdir that follows it are one request.
 *
 * Lustre sends the purpose of a lookup along with it; FUSE sends two requests one after the other.
 * So a lookup is charged when it comes, and remembered for its caller (a thread). When that
 * caller's next request finishes the intent, the lookup is taken back from the statistics and the
 * request pays only what it weighs more. Any other request of the caller forgets the lookup.
 *
 * Not thread-safe: used under the model's lock.
 */
#ifndef PFS_INTENT_H
#define PFS_INTENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct intent {
  pid_t caller; /* 0: none */
  ino_t parent;
  uint32_t name;
  ino_t found; /* 0: the name wasn't there */
  int cls;
  uint64_t service_ns;
  uint64_t wait_ns;
};

/* Callers share slots by thread id; one that was displaced only pays its lookup. */
enum { INTENT_SLOTS = 1024 };

struct intents {
  struct intent slot[INTENT_SLOTS];
};

uint32_t intent_name(const char *name);
void intent_remember(struct intents *all, struct intent intent);

/* Removes and returns this caller's lookup; its caller is 0 when there is none. */
struct intent intent_take(struct intents *all, pid_t caller);

#endif
