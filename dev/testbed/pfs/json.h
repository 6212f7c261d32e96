/* Reading one flat JSON object: {"key": "text" | number | true | false, ...}, and writing strings.
 *
 * Nothing else is accepted: no nesting, no escapes but \" and \\. That is all the control file
 * needs.
 */
#ifndef PFS_JSON_H
#define PFS_JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { JSON_MEMBERS = 64, JSON_TEXT = 256 };

struct json_member {
  char key[64];
  char text[JSON_TEXT]; /* a string's value */
  double number;        /* a number's value; true is 1, false is 0 */
  bool is_text;
};

struct json_object {
  int count;
  struct json_member member[JSON_MEMBERS];
};

bool json_parse(const char *line, struct json_object *object);

/* The member's text or number, or `otherwise` when it is absent or of the other type. */
const char *json_text(const struct json_object *o, const char *key, const char *otherwise);
double json_number(const struct json_object *o, const char *key, double otherwise);

void json_write_text(FILE *out, const char *text);

#endif
