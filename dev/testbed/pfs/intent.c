#include "intent.h"

static struct intent *slot_of(struct intents *all, pid_t caller) {
  return &all->slot[(uint32_t)caller % INTENT_SLOTS];
}

/* FNV-1a: two names of one directory that collide would merge wrongly, once in 2^32. */
uint32_t intent_name(const char *name) {
  uint32_t h = 2166136261u;
  for (; *name; name++)
    h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

void intent_remember(struct intents *all, struct intent intent) {
  *slot_of(all, intent.caller) = intent;
}

struct intent intent_take(struct intents *all, pid_t caller) {
  struct intent *slot = slot_of(all, caller);
  struct intent none = {.caller = 0};
  if (slot->caller != caller || caller == 0)
    return none;
  struct intent taken = *slot;
  *slot = none;
  return taken;
}
