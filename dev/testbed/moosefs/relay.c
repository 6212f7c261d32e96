#include "relay.h"

#include "clock.h"
#include "service.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER = 8, CHUNK = 65536 };

struct end {
  struct link *link;
  int fd;
};

struct link {
  struct end client, master;
  int node;
  bool ended;
  int held; /* packets of it that wait */
  uint8_t *buffer;
  size_t have, room;
  struct link *next;
};

struct packet {
  uint64_t due;
  struct link *link;
  size_t size;
  struct packet *next;
  uint8_t bytes[];
};

static int epoll;
static struct sockaddr_in master_address;
static struct link *links;
static struct packet *waiting; /* the next one due first: few wait at a time */

void relay_init(int epoll_fd, struct sockaddr_in master) {
  epoll = epoll_fd;
  master_address = master;
}

static bool watch(struct end *end) {
  int on = 1;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = end};
  return setsockopt(end->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
         epoll_ctl(epoll, EPOLL_CTL_ADD, end->fd, &event) == 0;
}

void relay_open(int client_fd, int node) {
  struct link *link = calloc(1, sizeof *link);
  if (!link)
    abort();
  int master_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  link->client = (struct end){link, client_fd};
  link->master = (struct end){link, master_fd};
  link->node = node;
  link->next = links;
  links = link;
  link->ended =
      master_fd < 0 ||
      connect(master_fd, (struct sockaddr *)&master_address, sizeof master_address) != 0 ||
      !watch(&link->client) || !watch(&link->master);
}

static void send_all(struct link *link, int fd, const uint8_t *bytes, size_t size) {
  while (size > 0 && !link->ended) {
    ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR)
      link->ended = true;
    else if (n > 0) {
      bytes += n;
      size -= (size_t)n;
    }
  }
}

static void hold(struct link *link, const uint8_t *bytes, size_t size, uint64_t due) {
  struct packet *packet = malloc(sizeof *packet + size);
  if (!packet)
    abort();
  *packet = (struct packet){.due = due, .link = link, .size = size};
  memcpy(packet->bytes, bytes, size);
  link->held++;
  struct packet **place = &waiting;
  while (*place && (*place)->due <= due)
    place = &(*place)->next;
  packet->next = *place;
  *place = packet;
}

static void pass(struct link *link, uint32_t type, const uint8_t *bytes, size_t size) {
  uint64_t now = now_ns();
  uint64_t due = service_is_request(type) ? service_admit(link->node, type, now) : now;
  if (due > now)
    hold(link, bytes, size, due);
  else
    send_all(link, link->master.fd, bytes, size);
}

static uint32_t number_at(const uint8_t *bytes) {
  uint32_t n;
  memcpy(&n, bytes, sizeof n);
  return ntohl(n);
}

static void pass_whole_packets(struct link *link) {
  size_t done = 0;
  while (link->have - done >= HEADER) {
    const uint8_t *packet = link->buffer + done;
    size_t size = HEADER + (size_t)number_at(packet + 4);
    if (link->have - done < size)
      break;
    pass(link, number_at(packet), packet, size);
    done += size;
  }
  link->have -= done;
  memmove(link->buffer, link->buffer + done, link->have);
}

static void from_client(struct link *link) {
  if (link->room - link->have < CHUNK) {
    link->room = 2 * link->room + CHUNK;
    link->buffer = realloc(link->buffer, link->room);
    if (!link->buffer)
      abort();
  }
  ssize_t n = recv(link->client.fd, link->buffer + link->have, CHUNK, 0);
  if (n <= 0) {
    link->ended = n == 0 || errno != EINTR;
    return;
  }
  link->have += (size_t)n;
  pass_whole_packets(link);
}

static void from_master(struct link *link) {
  uint8_t bytes[CHUNK];
  ssize_t n = recv(link->master.fd, bytes, sizeof bytes, 0);
  if (n > 0)
    send_all(link, link->client.fd, bytes, (size_t)n);
  else
    link->ended = n == 0 || errno != EINTR;
}

void relay_readable(void *pointer) {
  struct end *end = pointer;
  struct link *link = end->link;
  if (link->ended)
    return;
  if (end == &link->client)
    from_client(link);
  else
    from_master(link);
}

static void forget_ended(void) {
  struct link **place = &links;
  while (*place) {
    struct link *link = *place;
    if (link->ended && link->client.fd >= 0) {
      close(link->client.fd);
      if (link->master.fd >= 0)
        close(link->master.fd);
      link->client.fd = -1;
    }
    if (link->ended && link->held == 0) {
      *place = link->next;
      free(link->buffer);
      free(link);
    } else
      place = &link->next;
  }
}

uint64_t relay_release(uint64_t now) {
  while (waiting && waiting->due <= now) {
    struct packet *packet = waiting;
    waiting = packet->next;
    packet->link->held--;
    send_all(packet->link, packet->link->master.fd, packet->bytes, packet->size);
    free(packet);
  }
  forget_ended();
  return waiting ? waiting->due : 0;
}
