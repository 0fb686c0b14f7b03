/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters after a name: `name:key=value,key=value`.  A choice that is `off`
 * by default can be given by its name alone: `train` is `train=sgd` where the
 * choices are off|sgd|momentum|adam.
 *
 * Whatever has a name (network, generator, solver, kernel) declares its
 * parameters as a table; this file parses, checks, defaults and prints them.  */
#ifndef ARENABENCH_LIB_BASE_PARAMS_H
#define ARENABENCH_LIB_BASE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

enum param_type {
    PARAM_INT,    /* a whole number in [low, high] */
    PARAM_BYTES,  /* the same of bytes, which may have a unit: parse_bytes */
    PARAM_REAL,   /* a number in [low, high] */
    PARAM_CHOICE, /* one of the words in `choices` */
    PARAM_TEXT,   /* any text without a comma */
};

/* A word that a choice may be, and the constant of an enum that it stands for.  */
struct param_choice {
    const char *word;
    unsigned value;
};

struct param {
    const char *name;
    enum param_type type;
    const char *initial;                /* default value as text; NULL: has to be given */
    const struct param_choice *choices; /* PARAM_CHOICE only; ends with a NULL word */
    double low, high;                   /* of numbers: inclusive limits */
    const char *help;                   /* what it means, with the unit */
};

/* A PARAM_CHOICE in a table at file scope: its choices as {"word", CONSTANT}, ...  */
#define PARAM_ENUM(name, initial, help, ...)                                                      \
    {                                                                                             \
        name, PARAM_CHOICE, initial, (const struct param_choice[]){__VA_ARGS__, {NULL, 0}}, 0, 0, \
            help                                                                                  \
    }

/* One that is off|on, which params_on reads.  */
#define PARAM_SWITCH(name, initial, help)                     \
    {                                                         \
        name, PARAM_CHOICE, initial, param_switch, 0, 0, help \
    }
extern const struct param_choice param_switch[];

/* A table ends with an entry whose name is NULL.  One entry called PARAM_OTHER
 * stands for any other name: each that is given becomes a parameter of its own
 * with that entry's type and limits.  */
#define PARAM_END                                    \
    {                                                \
        NULL, PARAM_TEXT, NULL, NULL, 0.0, 0.0, NULL \
    }
#define PARAM_NO_LIMIT 9.0e18
#define PARAM_OTHER "*"

struct param_value {
    const struct param *param;
    const char *text; /* the value as given, or the default; NULL: none */
    int64_t integer;  /* PARAM_INT and PARAM_BYTES */
    double real;      /* of any number */
    unsigned choice;  /* PARAM_CHOICE: the value of the word */
    bool given;       /* false: the default */
    bool other;       /* a name that PARAM_OTHER stands for */
};

struct params {
    size_t count;
    struct param_value *value;
    struct param *other; /* of the values with `other`, by name */
    char *storage;       /* what the texts point into */
};

/* Parses TEXT (the part after the colon; "" or NULL: nothing given) against
 * COUNT tables, which are joined.  WHAT names the thing in messages
 * ("network resnet50").  On success the caller frees PARAMS with params_clear;
 * on failure there is nothing to free.  */
bool params_parse(struct params *params, const char *what, const char *text,
                  const struct param *const *tables, size_t count, struct error *error);

/* The last parameter in TABLE is raw, a PARAM_TEXT that has to be given: its value is all
 * of TEXT, commas and all.  Others stand before it where TEXT begins with one:
 * `other=value,raw=...`.  The rest is as for params_parse.  */
bool params_raw(struct params *params, const char *what, const struct param *table,
                const char *text, struct error *error);
const char *params_raw_value(const struct params *params);

/* The text that params_raw reads as these values, the same for the same values.  The
 * caller frees it.  */
char *params_raw_canonical(const struct params *params);

void params_clear(struct params *params);

/* The words of a PARAM_CHOICE as `a|b|c`, the default first.  The caller frees it.  */
char *param_words(const struct param *param);

/* Values by name.  The name must be in the tables (a programming error else).  */
int64_t params_int(const struct params *params, const char *name);
double params_real(const struct params *params, const char *name);
unsigned params_choice(const struct params *params, const char *name);
bool params_on(const struct params *params, const char *name); /* of a PARAM_SWITCH */
const char *params_text(const struct params *params, const char *name);

/* Whether it was given, be it with its default.  */
bool params_given(const struct params *params, const char *name);

/* The values that differ from their defaults as `key=value,key=value`, in the
 * order of the tables: the same settings always give the same text.  The
 * caller frees it.  */
char *params_canonical(const struct params *params);

/* A whole number in [low, high], the whole text.  For options too.  */
bool parse_int(const char *text, int64_t low, int64_t high, int64_t *result);
/* A finite number in [low, high], the whole text, '.' as the decimal point.  */
bool parse_real(const char *text, double low, double high, double *result);
/* Bytes: a whole number, or a number with a unit that makes whole bytes of it: B, KiB, MiB, GiB,
 * TiB of 1024, KB (or kB), MB, GB, TB of 1000.  */
bool parse_bytes(const char *text, int64_t low, int64_t high, int64_t *result);
/* Seconds: a number, or one with ms, s, min or h.  */
bool parse_seconds(const char *text, double low, double high, double *result);

#endif
