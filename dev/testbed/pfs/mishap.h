/* What happens to a client as a whole: its mount dies, it is evicted, it stalls, its caches go. */
#ifndef PFS_MISHAP_H
#define PFS_MISHAP_H

#include <stdint.h>

/* The servers lose contact: dirty data is undone, locks and caches go, and the client's next
 * request fails with EIO, once; files that lost data report it at their next fsync or close. */
void mishap_evict(int client);

/* Its mount is dead: every request fails with ENOTCONN from now on; its dirty data is undone. 0 or
 * an errno. */
int mishap_kill(int client);

/* A client (-1: the servers, for everyone) answers nothing for this long. */
void mishap_stall(int client, int targets, double seconds);

/* All clients' clean caches go, after their dirty data was sent: for timings that start cold. */
void mishap_drop_caches(void);

#endif
