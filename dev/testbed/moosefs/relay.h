/* Connections between the nodes' mounts and the master: packets go through
 * whole, requests late.
 *
 * 1. A packet is type and length, 4 bytes each with the highest first, and as
 * many bytes.
 * 2. Requests of one connection may overtake each other, as they do when
 * several threads serve them: whoever waits for an answer hasn't sent what
 * depends on it. What isn't a request, and all that the master sends, goes on
 * at once.
 * 3. Writing may block: both sides read in threads of their own, whatever they
 * are doing.
 *
 * Everything happens in one thread.
 */
#ifndef MOOSEFS_RELAY_H
#define MOOSEFS_RELAY_H

#include <netinet/in.h>
#include <stdint.h>

void relay_init(int epoll, struct sockaddr_in master);

/* A mount of this node has connected. */
void relay_open(int client_fd, int node);

/* Something can be read at an end that relay_open added to epoll; `end` is its
 * event's pointer. */
void relay_readable(void *end);

/* Sends what is due, and forgets connections that have ended. When the next
 * packet is due on the monotonic clock, or 0. */
uint64_t relay_release(uint64_t now);

#endif
