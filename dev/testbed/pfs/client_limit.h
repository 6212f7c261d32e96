/* How many client nodes one process may serve: a set of clients is one 64-bit mask. */
#ifndef PFS_CLIENT_LIMIT_H
#define PFS_CLIENT_LIMIT_H

enum { MAX_CLIENTS = 64 };

#endif
