#include "line.h"

#include <errno.h>
#include <stdarg.h>
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

void line_answer(int connection, json_t *(*answer)(json_t *request)) {
  /* Somebody who connects and says nothing mustn't keep others out for long. */
  struct timeval patience = {.tv_sec = 5};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  FILE *in = fdopen(dup(connection), "r");
  FILE *out = fdopen(connection, "w");
  char *line = NULL;
  size_t room = 0;
  if (in && out && getline(&line, &room, in) > 0) {
    json_t *request = json_loads(line, 0, NULL);
    json_t *reply = json_is_object(request) ? answer(request) : line_refuse("not a JSON object");
    json_dumpf(reply, out, JSON_REAL_PRECISION(10));
    fputc('\n', out);
    json_decref(request);
    json_decref(reply);
  }
  free(line);
  if (in)
    fclose(in);
  if (out)
    fclose(out);
}

json_t *line_refuse(const char *why, ...) {
  va_list values;
  va_start(values, why);
  json_t *text = json_vsprintf(why, values);
  va_end(values);
  return json_pack("{s:o}", "error", text);
}

json_t *line_set(json_t *request, const char *(*set)(const char *key, double value)) {
  const char *key;
  json_t *value;
  json_object_foreach(request, key, value) {
    if (strcmp(key, "verb") == 0)
      continue;
    const char *why =
        json_is_number(value) ? set(key, json_number_value(value)) : "a setting is a number";
    if (why)
      return line_refuse("%s: %s", key, why);
  }
  return json_object();
}
