#include "json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip(const char *s) {
  while (isspace((unsigned char)*s))
    s++;
  return s;
}

static const char *parse_text(const char *s, char *into, size_t room) {
  size_t n = 0;
  if (*s != '"')
    return NULL;
  for (s++; *s && *s != '"'; s++) {
    if (*s == '\\' && *++s != '"' && *s != '\\')
      return NULL;
    if (n + 1 == room)
      return NULL;
    into[n++] = *s;
  }
  into[n] = 0;
  return *s == '"' ? s + 1 : NULL;
}

static const char *parse_value(const char *s, struct json_member *m) {
  char *end;
  m->is_text = *s == '"';
  if (m->is_text)
    return parse_text(s, m->text, sizeof m->text);
  if (strncmp(s, "true", 4) == 0) {
    m->number = 1;
    return s + 4;
  }
  if (strncmp(s, "false", 5) == 0) {
    m->number = 0;
    return s + 5;
  }
  m->number = strtod(s, &end);
  return end == s ? NULL : end;
}

bool json_parse(const char *line, struct json_object *object) {
  const char *s = skip(line);
  object->count = 0;
  if (*s++ != '{')
    return false;
  s = skip(s);
  if (*s == '}')
    return *skip(s + 1) == 0;
  while (object->count < JSON_MEMBERS) {
    struct json_member *m = &object->member[object->count++];
    s = parse_text(skip(s), m->key, sizeof m->key);
    if (!s || *(s = skip(s)) != ':')
      return false;
    s = parse_value(skip(s + 1), m);
    if (!s)
      return false;
    s = skip(s);
    if (*s == '}')
      return *skip(s + 1) == 0;
    if (*s++ != ',')
      return false;
  }
  return false;
}

static const struct json_member *member(const struct json_object *o, const char *key) {
  for (int i = 0; i < o->count; i++)
    if (strcmp(o->member[i].key, key) == 0)
      return &o->member[i];
  return NULL;
}

const char *json_text(const struct json_object *o, const char *key, const char *otherwise) {
  const struct json_member *m = member(o, key);
  return m && m->is_text ? m->text : otherwise;
}

double json_number(const struct json_object *o, const char *key, double otherwise) {
  const struct json_member *m = member(o, key);
  return m && !m->is_text ? m->number : otherwise;
}

void json_write_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', out);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
  fputc('"', out);
}
