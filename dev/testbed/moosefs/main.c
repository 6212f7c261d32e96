/* proxy: stands between the mounts of a MooseFS and its master, and delays what
 * they ask.
 *
 *   proxy CONTROL LISTEN_ADDRESS MASTER_ADDRESS PORT FIRST_NODE_ADDRESS NODES
 * SEED
 *
 * Node N's mount comes from the address of the first node plus N; others are
 * turned away. CONTROL is a control file (line.h): one JSON object on a line,
 * with the verb "get", "stats", "reset", or "set" with settings as the
 * other members.
 */
#include "clock.h"
#include "line.h"
#include "relay.h"
#include "service.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 64 };

static int control, listener; /* their addresses mark their events */
static uint32_t first_node;
static int nodes;

static json_t *answer(json_t *request) {
  const char *verb = json_string_value(json_object_get(request, "verb"));
  if (!verb)
    verb = "";
  if (strcmp(verb, "set") == 0)
    return line_set(request, service_set);
  if (strcmp(verb, "get") == 0)
    return service_settings();
  if (strcmp(verb, "stats") == 0)
    return service_stats();
  if (strcmp(verb, "reset") != 0)
    return line_refuse("no such verb");
  service_reset();
  return json_object();
}

static void accept_node(void) {
  struct sockaddr_in peer;
  socklen_t size = sizeof peer;
  int fd = accept4(listener, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC);
  if (fd < 0)
    return;
  uint32_t node = ntohl(peer.sin_addr.s_addr) - first_node;
  if (node < (uint32_t)nodes)
    relay_open(fd, (int)node);
  else
    close(fd);
}

static int listen_at(struct sockaddr_in address) {
  int on = 1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 64) != 0) {
    perror("proxy: listen");
    exit(1);
  }
  return fd;
}

static void watch(int epoll, int *fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, *fd, &event) != 0) {
    perror("proxy: epoll");
    exit(1);
  }
}

static void take(const struct epoll_event *event) {
  if (event->data.ptr == &listener)
    accept_node();
  else if (event->data.ptr == &control) {
    int connection = accept4(control, NULL, NULL, SOCK_CLOEXEC);
    if (connection >= 0)
      line_answer(connection, answer);
  } else
    relay_readable(event->data.ptr);
}

static void serve(int epoll) {
  struct epoll_event events[EVENTS];
  for (;;) {
    uint64_t due = relay_release(now_ns());
    uint64_t now = now_ns();
    uint64_t wait = due > now ? due - now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(wait / 1000000000u),
                               .tv_nsec = (long)(wait % 1000000000u)};
    int n = epoll_pwait2(epoll, events, EVENTS, due ? &timeout : NULL, NULL);
    for (int i = 0; i < n; i++)
      take(&events[i]);
  }
}

static struct sockaddr_in address(const char *host, const char *port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((uint16_t)atoi(port)),
                              .sin_addr.s_addr = inet_addr(host)};
}

int main(int argc, char **argv) {
  if (argc != 8 || (nodes = atoi(argv[6])) < 1 || nodes > SERVICE_NODES) {
    fprintf(stderr, "usage: proxy CONTROL LISTEN MASTER PORT FIRST_NODE NODES(1-%d) SEED\n",
            SERVICE_NODES);
    return 2;
  }
  /* The default of 50 us would be a third of a request. */
  prctl(PR_SET_TIMERSLACK, 1);
  first_node = ntohl(inet_addr(argv[5]));
  service_init(strtoull(argv[7], NULL, 10), nodes);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  relay_init(epoll, address(argv[3], argv[4]));
  listener = listen_at(address(argv[2], argv[4]));
  control = line_listen("proxy", argv[1]);
  if (epoll < 0 || control < 0)
    return 1;
  watch(epoll, &listener);
  watch(epoll, &control);
  serve(epoll);
}
