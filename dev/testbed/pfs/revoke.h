/* Taking cached state away from a client's kernel because another client changed something.
 *
 * 1. As on Lustre, the change isn't confirmed before the holder has given its lock up: revoke_*
 *    return when its kernel was told.
 * 2. Except when the holder has a request in flight on the same inode, and another revocation is
 *    being waited for. The holder's kernel may hold the page or directory lock that the
 *    notification needs until that request is answered, and that one may wait for us: two clients
 *    could wait for each other for ever. The notification is then delivered as soon as the request
 *    is over; neither order was promised to anyone. A request that waits for no revocation ends by
 *    itself, and is waited for.
 * 3. Notifications that take such locks are delivered by two threads per client, one for pages and
 *    one for names. A name waits for a directory's lock; its holder may wait in the kernel for the
 *    lock of a file on which a write is in flight, and that may wait for pages. In one queue, two
 *    clients stood still that way (test_contention.py).
 * 4. Nobody waits longer than a second: renames between directories can close a circle of such
 *    waits over two kernels, as a Lustre client that doesn't answer is given up in the end.
 */
#ifndef PFS_REVOKE_H
#define PFS_REVOKE_H

#include "inode.h"

/* Starts the client's delivering threads. 0 or an errno. */
int revoke_start(struct client *c);

/* These are called without the model's lock. */

/* Attributes of `i`, from everyone but `by` (-1: from everyone); counted when `count`. */
void revoke_attributes(struct inode *i, int by, bool count);

/* Cached pages of `i`, from the clients of this set. */
void revoke_pages(struct inode *i, uint64_t from);

/* The name, from everyone but `by` that may know it. */
void revoke_name(struct inode *dir, const char *name, struct inode *child, int by);

/* Under the model's lock: a client began a request; who waits for it must look again. */
void revoke_client_is_busy(void);

#endif
