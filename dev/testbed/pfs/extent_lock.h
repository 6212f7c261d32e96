/* Extent locks: who may read and who may write an object of a file without asking.
 *
 * A client takes a lock with a request to the object server (enqueue) and keeps it. A writer's lock
 * excludes everyone; readers share. Taking a lock revokes the ones in conflict: a writer first
 * sends its dirty data, which is charged to it and waited for by the one who asked. A reader that
 * is revoked loses its cached pages.
 */
#ifndef PFS_EXTENT_LOCK_H
#define PFS_EXTENT_LOCK_H

#include "call.h"

/* Objects that [from, to) touches. Under the inode's `data` mutex. */
struct object_range {
  int first;
  int count; /* consecutive, modulo the file's number of objects */
};
struct object_range objects_of(struct inode *i, int64_t from, int64_t to);

/* Takes the locks for [from, to); the call waits for them. Returns the clients whose cached pages
 * are now invalid, for revoke_pages(). Under the inode's `data` mutex. */
uint64_t extent_lock(struct call *c, int64_t from, int64_t to, bool write);

/* All locks of a client that is gone. Under the model's lock. */
void extent_unlock_all(struct inode *i, int client);

#endif
