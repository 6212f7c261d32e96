#include "call.h"

#include "clock.h"
#include "fault.h"
#include "model.h"
#include "revoke.h"
#include "settings.h"

#include <errno.h>

static int early_error(struct call *c) {
  if (c->client->evicted) {
    c->client->evicted = false;
    return EIO;
  }
  return fault_of(c->client->index, c->kind, c->cls);
}

static void busy(struct call *c, struct inode *i) {
  if (!i)
    return;
  inode_retain(i);
  i->seen[c->client->index].busy++;
}

static void idle(struct call *c, struct inode *i) {
  if (!i)
    return;
  i->seen[c->client->index].busy--;
  inode_release(i);
}

int call_enter(struct call *c, fuse_req_t req, enum kind kind, int cls, struct inode *inode,
               struct inode *other) {
  struct client *client = fuse_req_userdata(req);
  *c = (struct call){.req = req,
                     .client = client,
                     .caller = fuse_req_ctx(req)->pid,
                     .kind = kind,
                     .cls = cls,
                     .inode = inode,
                     .other = other};
  model_lock();
  busy(c, inode);
  busy(c, other);
  revoke_client_is_busy();
  call_wait_for(c, client->stalled_until);
  int error = early_error(c);
  if (error)
    stats_count(client->index, KIND_FAULT, cls, 0);
  model_unlock();
  return error;
}

bool call_begin(struct call *c, fuse_req_t req, enum kind kind, int cls, struct inode *inode,
                struct inode *other) {
  int error = call_enter(c, req, kind, cls, inode, other);
  if (error)
    call_reply(c, error);
  return error == 0;
}

void call_end(struct call *c) {
  model_lock();
  idle(c, c->inode);
  idle(c, c->other);
  model_unlock();
}

void call_reply(struct call *c, int error) {
  fuse_reply_err(c->req, error);
  call_end(c);
}

void call_wait_for(struct call *c, uint64_t done) {
  if (done > c->until)
    c->until = done;
}

static bool completes(const struct intent *i, ino_t dir, const char *name, ino_t found) {
  if (i->caller == 0)
    return false;
  return found ? i->found == found
               : i->found == 0 && name && i->parent == dir && i->name == intent_name(name);
}

static bool can_complete(enum kind kind) {
  switch (kind) {
  case KIND_OPEN:
  case KIND_CREATE:
  case KIND_MKDIR:
  case KIND_MKNOD:
  case KIND_SYMLINK:
  case KIND_LINK:
  case KIND_OPENDIR:
    return true;
  default:
    return false;
  }
}

void call_mds(struct call *c, ino_t dir, const char *name, ino_t found) {
  int client = c->client->index;
  model_lock();
  struct intent looked = intent_take(&c->client->intents, c->caller);
  double weight = settings.weight[c->kind];
  struct charge charge = {0};
  if (can_complete(c->kind) && completes(&looked, dir, name, found)) {
    stats_uncount(client, KIND_LOOKUP, looked.cls);
    stats_untime(KIND_LOOKUP, looked.service_ns, looked.wait_ns);
    weight -= settings.weight[KIND_LOOKUP];
    if (weight > 0)
      charge = model_mds(dir, weight);
    charge.service_ns += looked.service_ns;
    charge.wait_ns += looked.wait_ns;
  } else {
    charge = model_mds(dir, weight);
  }
  stats_count(client, c->kind, c->cls, 0);
  stats_time(c->kind, charge.service_ns, charge.wait_ns);
  call_wait_for(c, charge.done_ns);
  if (c->kind == KIND_LOOKUP)
    intent_remember(&c->client->intents, (struct intent){.caller = c->caller,
                                                         .parent = dir,
                                                         .name = intent_name(name),
                                                         .cls = c->cls,
                                                         .service_ns = charge.service_ns,
                                                         .wait_ns = charge.wait_ns});
  model_unlock();
}

void call_found(struct call *c, ino_t found) {
  model_lock();
  struct intent looked = intent_take(&c->client->intents, c->caller);
  looked.found = found;
  if (looked.caller)
    intent_remember(&c->client->intents, looked);
  model_unlock();
}

void call_wait(const struct call *c) {
  uint64_t fuse = (uint64_t)(settings.fuse_us * 1000);
  if (c->until > fuse)
    sleep_until(c->until - fuse);
}
