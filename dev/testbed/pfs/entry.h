/* Replies that hand a client cached state: attributes and names under a lock.
 *
 * A client's kernel may cache them without end; what takes them back is a revocation (revoke.h).
 */
#ifndef PFS_ENTRY_H
#define PFS_ENTRY_H

#include "call.h"

/* How long the kernel may keep what nobody revokes, in seconds. */
extern const double entry_lifetime;

/* Notes that the call's client holds the attributes, then reads them: in this order, so that a
 * change in between is revoked. 0 or an errno. */
int entry_attributes(struct call *c, struct inode *i, struct stat *st);

/* Looks `name` up on the backing file system and fills the entry, counting the lookup. */
int entry_find(struct call *c, struct inode *dir, const char *name, struct fuse_entry_param *e);

/* Replies with the entry of `name`, or with the error of looking it up; ends the call. */
void entry_reply(struct call *c, struct inode *dir, const char *name);

#endif
