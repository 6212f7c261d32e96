/* The mounts: one FUSE session per client, each with its own pool of threads. */
#ifndef PFS_SESSION_H
#define PFS_SESSION_H

#include "client.h"

/* Mounts the kernel's FUSE control file system here, so that connections can be cut. 0 or an errno.
 * Ours, since not every machine has it mounted, and what we mount elsewhere we would leave behind.
 */
int sessions_init(const char *connections_directory);

/* Mounts client `c` at this existing directory and starts to serve it. 0, or -1 with a message
 * on stderr. */
int session_start(struct client *c, const char *mount_point);

/* Cuts the kernel's connection, as a crash of the client would. 0 or an errno. */
int session_abort(struct client *c);

/* Unmounts everything, also what processes still use. The process must then exit: that ends the
 * connections of mounts that are still in use. */
void sessions_unmount(void);

#endif
