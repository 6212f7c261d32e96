/* Changing a file's length: needs the writer's lock on all objects, and one punch request. */
#ifndef PFS_TRUNCATE_H
#define PFS_TRUNCATE_H

#include "call.h"

/* For a call on that file; 0 or an errno. Other clients' pages are revoked; the call waits. */
int truncate_to(struct call *c, int64_t length);

/* After something else changed the file through `fd`: its usage and length. Under `data`. */
void contents_changed(struct inode *i, int fd, int by);

#endif
