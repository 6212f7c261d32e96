/* Dirty extents: data that a client has written but not yet sent to an object server.
 *
 * 1. The bytes are in the backing file at once, so reads need no merging; an extent keeps what was
 *    there before. Losing it (an evicted or dead client) puts that back.
 * 2. Flushing an extent is sending it: write requests of at most rpc.kb, charged to its writer.
 * 3. Deleting a file discards its extents unsent, as Lustre does: short-lived small files cost no
 *    data request.
 * 4. Functions that take an inode want its `data` mutex; they take the model's lock themselves.
 */
#ifndef PFS_DIRTY_H
#define PFS_DIRTY_H

#include "inode.h"

/* Before the bytes are written: remembers the extent and what stands there now. 0 or an errno. */
int dirty_add(struct inode *i, int client, int object, int64_t from, int64_t length, int64_t size);

/* Sends what this client (-1: any) has dirty in this object (-1: all). Returns when it is there. */
uint64_t dirty_flush(struct inode *i, int client, int object);

/* As dirty_flush, once the client has a full request's worth in this object; 0 when it hasn't. */
uint64_t dirty_flush_full(struct inode *i, int client, int object);

/* Forgets all extents: the file was deleted or cut to nothing. */
void dirty_discard(struct inode *i);

/* Undoes this client's extents in one file; true when there were any. */
bool dirty_lose(struct inode *i, int client);

/* Undoes this client's extents in all files. Takes each file's mutex itself. */
void dirty_lose_all(int client, void (*lost)(struct inode *, int client));

/* Starts the thread that sends extents older than client.dirty_age. It sleeps while there are none.
 */
int dirty_start_aging(void);

#endif
