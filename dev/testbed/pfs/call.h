/* One request of a client, from its arrival to its reply.
 *
 * Every handler begins a call, which may end it with an error at once (fault, eviction), and ends
 * it after its reply. In between, the call counts as in flight on its inodes, which revocations
 * look at (revoke.h).
 */
#ifndef PFS_CALL_H
#define PFS_CALL_H

#define FUSE_USE_VERSION FUSE_MAKE_VERSION(3, 12)
#include "inode.h"
#include "kinds.h"

#include <fuse3/fuse_lowlevel.h>

struct call {
  fuse_req_t req;
  struct client *client;
  pid_t caller;
  enum kind kind;
  int cls;
  struct inode *inode;
  struct inode *other; /* the second directory of a rename or link; may be NULL */
  uint64_t until;      /* what it has to sleep for */
};

/* As call_begin, but leaves the reply to the caller: 0, or the errno to call_reply with. */
int call_enter(struct call *c, fuse_req_t req, enum kind kind, int cls, struct inode *inode,
               struct inode *other);

/* False when the error was replied already; then the call is over. */
bool call_begin(struct call *c, fuse_req_t req, enum kind kind, int cls, struct inode *inode,
                struct inode *other);
void call_end(struct call *c);

/* Charges a metadata request to the server of `dir`, merged with the caller's lookup when it
 * completes an intent: `found` is the opened inode, or 0 for a name that is being made. */
void call_mds(struct call *c, ino_t dir, const char *name, ino_t found);

/* A lookup found this inode: what an open by the same caller completes. */
void call_found(struct call *c, ino_t found);

/* Sleeps until everything charged to this call is done. */
void call_wait(const struct call *c);

/* Replies with this errno (0 = success) and ends the call. */
void call_reply(struct call *c, int error);

/* Under the model's lock: something else that this call has to wait for. */
void call_wait_for(struct call *c, uint64_t done);

#endif
