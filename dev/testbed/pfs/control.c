#include "control.h"

#include "classes.h"
#include "client.h"
#include "fault.h"
#include "line.h"
#include "mishap.h"
#include "model.h"
#include "settings.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool stopping;

static json_t *verb_stats(json_t *request) {
  (void)request;
  model_lock();
  json_t *reply = stats_json(client_count);
  model_unlock();
  return reply;
}

static json_t *verb_reset(json_t *request) {
  (void)request;
  model_lock();
  stats_reset();
  model_unlock();
  return json_object();
}

static json_t *verb_get(json_t *request) {
  (void)request;
  model_lock();
  json_t *reply = json_pack("{s:i, s:i, s:s, s:o}", "clients", client_count, "pid", (int)getpid(),
                            "classes", classes_get(), "settings", settings_json());
  model_unlock();
  return reply;
}

static json_t *verb_set(json_t *request) {
  model_lock();
  json_t *reply = line_set(request, settings_set);
  model_unlock();
  return reply;
}

/* The client it names, ANY when it names none, -2 when there is no such client. */
static int client_in(json_t *request) {
  int client = ANY;
  bool named = json_unpack(request, "{s?i}", "client", &client) == 0;
  return named && client >= ANY && client < client_count ? client : -2;
}

static json_t *verb_fault(json_t *request) {
  const char *error = "", *kind = "any", *cls = "any";
  json_int_t after = 0, times = ANY;
  json_error_t wrong;
  if (json_unpack_ex(request, &wrong, 0, "{s?s, s?s, s?s, s?I, s?I}", "error", &error, "kind",
                     &kind, "class", &cls, "after", &after, "times", &times) != 0)
    return line_refuse("%s", wrong.text);
  struct fault f = {.error = fault_error(error),
                    .kind = strcmp(kind, "any") == 0 ? ANY : kind_named(kind),
                    .cls = strcmp(cls, "any") == 0 ? ANY : class_named(cls),
                    .client = client_in(request),
                    .after = after,
                    .times = times};
  if (!f.error)
    return line_refuse("no such error");
  if (f.kind == ANY && strcmp(kind, "any") != 0)
    return line_refuse("no such kind of request");
  if (f.cls == ANY && strcmp(cls, "any") != 0)
    return line_refuse("no such path class");
  if (f.client < ANY)
    return line_refuse("no such client");
  model_lock();
  bool added = fault_add(f);
  model_unlock();
  return added ? json_object() : line_refuse("too many faults");
}

static json_t *verb_clear(json_t *request) {
  (void)request;
  model_lock();
  fault_clear();
  model_stall(TARGET_MDS | TARGET_OST, 0);
  for (int i = 0; i < client_count; i++) {
    clients[i].stalled_until = 0;
    clients[i].evicted = false;
  }
  model_unlock();
  return json_object();
}

static int target_named(const char *name) {
  if (strcmp(name, "mds") == 0)
    return TARGET_MDS;
  if (strcmp(name, "ost") == 0)
    return TARGET_OST;
  return strcmp(name, "all") == 0 ? TARGET_MDS | TARGET_OST : 0;
}

static json_t *verb_stall(json_t *request) {
  double seconds = -1;
  const char *target = "all";
  json_error_t wrong;
  if (json_unpack_ex(request, &wrong, 0, "{s?F, s?s}", "seconds", &seconds, "target", &target) != 0)
    return line_refuse("%s", wrong.text);
  int targets = target_named(target);
  int client = client_in(request);
  if (!(seconds >= 0 && seconds <= 3600))
    return line_refuse("seconds is between 0 and 3600");
  if (!targets || client < ANY)
    return line_refuse("no such target or client");
  mishap_stall(client, targets, seconds);
  return json_object();
}

static json_t *verb_kill(json_t *request) {
  int client = client_in(request);
  if (client < 0)
    return line_refuse("no such client");
  int error = mishap_kill(client);
  return error ? line_refuse("%s", strerror(error)) : json_object();
}

static json_t *verb_evict(json_t *request) {
  int client = client_in(request);
  if (client < 0)
    return line_refuse("no such client");
  mishap_evict(client);
  return json_object();
}

static json_t *verb_drop(json_t *request) {
  (void)request;
  mishap_drop_caches();
  return json_object();
}

static json_t *verb_stop(json_t *request) {
  (void)request;
  stopping = true;
  return json_object();
}

static const struct verb {
  const char *name;
  json_t *(*run)(json_t *request);
} verbs[] = {{"stats", verb_stats}, {"reset", verb_reset}, {"get", verb_get},
             {"set", verb_set},     {"fault", verb_fault}, {"clear", verb_clear},
             {"stall", verb_stall}, {"kill", verb_kill},   {"evict", verb_evict},
             {"drop", verb_drop},   {"stop", verb_stop}};

static json_t *answer(json_t *request) {
  const char *name = json_string_value(json_object_get(request, "verb"));
  for (unsigned i = 0; name && i < sizeof verbs / sizeof verbs[0]; i++)
    if (strcmp(verbs[i].name, name) == 0)
      return verbs[i].run(request);
  return line_refuse("no such verb");
}

void control_serve(int listener) {
  while (!stopping) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection >= 0)
      line_answer(connection, answer);
    else if (errno != EINTR)
      return;
  }
}
