#include "control.h"

#include "classes.h"
#include "client.h"
#include "fault.h"
#include "json.h"
#include "line.h"
#include "mishap.h"
#include "model.h"
#include "settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool stopping;

static void accept_(FILE *out) { fputs("{}", out); }

static void verb_stats(const struct json_object *o, FILE *out) {
  (void)o;
  model_lock();
  fputc('{', out);
  stats_print(out, client_count);
  fputc('}', out);
  model_unlock();
}

static void verb_reset(const struct json_object *o, FILE *out) {
  (void)o;
  model_lock();
  stats_reset();
  model_unlock();
  accept_(out);
}

static void verb_get(const struct json_object *o, FILE *out) {
  (void)o;
  model_lock();
  fprintf(out, "{\"clients\": %d, \"pid\": %d, \"classes\": ", client_count, (int)getpid());
  json_write_text(out, classes_get());
  fputs(", \"settings\": {", out);
  settings_print(out);
  fputs("}}", out);
  model_unlock();
}

static void verb_set(const struct json_object *o, FILE *out) {
  const char *why = NULL;
  char message[JSON_TEXT];
  model_lock();
  for (int i = 0; i < o->count && !why; i++) {
    const struct json_member *m = &o->member[i];
    if (strcmp(m->key, "verb") == 0)
      continue;
    why = m->is_text ? "a setting is a number" : settings_set(m->key, m->number);
    if (why)
      snprintf(message, sizeof message, "%s: %s", m->key, why);
  }
  model_unlock();
  if (why)
    line_refuse(out, message);
  else
    accept_(out);
}

/* The client it names, ANY when it names none, -2 when there is no such client. */
static int client_in(const struct json_object *o) {
  double n = json_number(o, "client", ANY);
  return n == ANY || (n >= 0 && n < client_count) ? (int)n : -2;
}

static void verb_fault(const struct json_object *o, FILE *out) {
  const char *kind = json_text(o, "kind", "any");
  const char *cls = json_text(o, "class", "any");
  struct fault f = {.error = fault_error(json_text(o, "error", "")),
                    .kind = strcmp(kind, "any") == 0 ? ANY : kind_named(kind),
                    .cls = strcmp(cls, "any") == 0 ? ANY : class_named(cls),
                    .client = client_in(o),
                    .after = (long)json_number(o, "after", 0),
                    .times = (long)json_number(o, "times", ANY)};
  if (!f.error)
    line_refuse(out, "no such error");
  else if (f.kind == ANY && strcmp(kind, "any") != 0)
    line_refuse(out, "no such kind of request");
  else if (f.cls == ANY && strcmp(cls, "any") != 0)
    line_refuse(out, "no such path class");
  else if (f.client < ANY)
    line_refuse(out, "no such client");
  else {
    model_lock();
    bool added = fault_add(f);
    model_unlock();
    if (added)
      accept_(out);
    else
      line_refuse(out, "too many faults");
  }
}

static void verb_clear(const struct json_object *o, FILE *out) {
  (void)o;
  model_lock();
  fault_clear();
  model_stall(TARGET_MDS | TARGET_OST, 0);
  for (int i = 0; i < client_count; i++) {
    clients[i].stalled_until = 0;
    clients[i].evicted = false;
  }
  model_unlock();
  accept_(out);
}

static int target_named(const char *name) {
  if (strcmp(name, "mds") == 0)
    return TARGET_MDS;
  if (strcmp(name, "ost") == 0)
    return TARGET_OST;
  return strcmp(name, "all") == 0 ? TARGET_MDS | TARGET_OST : 0;
}

static void verb_stall(const struct json_object *o, FILE *out) {
  double seconds = json_number(o, "seconds", -1);
  int targets = target_named(json_text(o, "target", "all"));
  int client = client_in(o);
  if (!(seconds >= 0 && seconds <= 3600))
    line_refuse(out, "seconds is between 0 and 3600");
  else if (!targets || client < ANY)
    line_refuse(out, "no such target or client");
  else {
    mishap_stall(client, targets, seconds);
    accept_(out);
  }
}

static void verb_kill(const struct json_object *o, FILE *out) {
  int client = client_in(o);
  int error = client < 0 ? EINVAL : mishap_kill(client);
  if (error)
    line_refuse(out, client < 0 ? "no such client" : strerror(error));
  else
    accept_(out);
}

static void verb_evict(const struct json_object *o, FILE *out) {
  int client = client_in(o);
  if (client < 0) {
    line_refuse(out, "no such client");
    return;
  }
  mishap_evict(client);
  accept_(out);
}

static void verb_drop(const struct json_object *o, FILE *out) {
  (void)o;
  mishap_drop_caches();
  accept_(out);
}

static void verb_stop(const struct json_object *o, FILE *out) {
  (void)o;
  stopping = true;
  accept_(out);
}

static const struct verb {
  const char *name;
  void (*run)(const struct json_object *, FILE *);
} verbs[] = {{"stats", verb_stats}, {"reset", verb_reset}, {"get", verb_get},
             {"set", verb_set},     {"fault", verb_fault}, {"clear", verb_clear},
             {"stall", verb_stall}, {"kill", verb_kill},   {"evict", verb_evict},
             {"drop", verb_drop},   {"stop", verb_stop}};

static void answer(const char *line, FILE *out) {
  static struct json_object o;
  if (!json_parse(line, &o)) {
    line_refuse(out, "not a flat JSON object");
    return;
  }
  const char *name = json_text(&o, "verb", "");
  for (unsigned i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
    if (strcmp(verbs[i].name, name) == 0) {
      verbs[i].run(&o, out);
      return;
    }
  line_refuse(out, "no such verb");
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
