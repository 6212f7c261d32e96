#include "line.h"

#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

int line_listen(const char *who, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    fprintf(stderr, "%s: the path of the control file is too long: %s\n", who, path);
    return -1;
  }
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  unlink(path);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 16) != 0) {
    fprintf(stderr, "%s: control file: %s\n", who, strerror(errno));
    return -1;
  }
  return fd;
}

void line_answer(int connection, void (*answer)(const char *line, FILE *out)) {
  /* Somebody who connects and says nothing mustn't keep others out for long. */
  struct timeval patience = {.tv_sec = 5};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  FILE *in = fdopen(dup(connection), "r");
  FILE *out = fdopen(connection, "w");
  char *line = NULL;
  size_t room = 0;
  if (in && out && getline(&line, &room, in) > 0) {
    answer(line, out);
    fputc('\n', out);
  }
  free(line);
  if (in)
    fclose(in);
  if (out)
    fclose(out);
}

void line_refuse(FILE *out, const char *why) {
  fputs("{\"error\": ", out);
  json_write_text(out, why);
  fputc('}', out);
}
