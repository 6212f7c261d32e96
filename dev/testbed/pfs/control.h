/* The control file: a Unix socket beside the backing directory.
 *
 * One connection carries one request, a JSON object on one line, and one reply, a JSON object
 * on one line; {"error": "..."} when it was refused. Verbs (member "verb"):
 *
 *   stats  reset  get  stop  clear  drop
 *   set    every other member is a setting and its number; all are checked, the good ones kept
 *   fault  error, and optionally kind, class, client, after, times
 *   stall  seconds, and optionally client or target ("mds", "ost", "all")
 *   kill   client          evict  client
 */
#ifndef PFS_CONTROL_H
#define PFS_CONTROL_H

/* Answers at this socket (line.h) until "stop" or a termination signal. */
void control_serve(int listener);

#endif
