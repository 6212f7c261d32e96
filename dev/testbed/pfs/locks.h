/* fcntl and flock locks between clients, kept by the metadata server.
 *
 * Ranges, sharing and conflicts are the kernel's: each (client, owner) gets a descriptor of its own
 * on the backing file, and takes its locks there. Waiters are woken whenever a lock may have gone.
 */
#ifndef PFS_LOCKS_H
#define PFS_LOCKS_H

#include "inode.h"

/* All fcntl locks of this owner in this file: it closed a descriptor of it. */
void locks_drop_owner(struct inode *i, int client, uint64_t owner);

/* All fcntl locks of a client that is gone. */
void locks_drop_client(int client);

/* Some lock may be free now. */
void locks_changed(void);

#endif
