/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of JSON, with messages that say where one is and what was expected.  */
#ifndef ARENABENCH_HAZARDS_JSON_VALUE_H
#define ARENABENCH_HAZARDS_JSON_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

/* A file that is read, and where in it.  */
struct json_place {
    const char *path;
    char where[120]; /* "problem.buffers[3]" */
    struct error *error;
};

/* All of IN as an object; NULL with a message that has a line and a column.  The caller gives it
 * back.  */
json_t *json_read_object(FILE *in, const char *path, struct error *error);

/* What dsa-solver calls the fingerprint of a problem: FNV-1a of its file as it writes one, members
 * sorted and indented by 2.  ROOT loses what says nothing there.  (Control characters in texts,
 * which it spells otherwise, make another one.)  */
uint64_t json_fingerprint(json_t *root);

/* How JSON is written, which is dsa-solver's way.  */
#define JSON_AS_WRITTEN (JSON_INDENT(2) | JSON_SORT_KEYS)

/* The place called WHERE, of the entry INDEX where FORMAT has one: "problem.buffers[%zu]".  */
void json_at(struct json_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* False, with the message "PATH: WHERE: ...".  */
bool json_wrong(const struct json_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The member KEY of OBJECT; NULL with a message where OBJECT is none, or has it not.  */
json_t *json_member(const struct json_place *place, json_t *object, const char *key);

/* The same of a kind: an array, a text, a whole number of LOW or more.  */
json_t *json_list(const struct json_place *place, json_t *object, const char *key);
const char *json_text(const struct json_place *place, json_t *object, const char *key);
bool json_whole(const struct json_place *place, json_t *object, const char *key, int64_t low,
                int64_t *value);

/* Whether OBJECT has members of the names KNOWN alone, which are apart by blanks.  */
bool json_known(const struct json_place *place, json_t *object, const char *known);

#endif
