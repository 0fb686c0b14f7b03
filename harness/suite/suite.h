/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suite: a named, versioned set of instances for everybody who compares planners.
 *
 * Its table is suite/VERSION.csv, a row an instance:
 *
 *     name,class,workload,buffers,load,checksum,sha256,lower,upper,lower_by,upper_by,plan,...
 *     tight-28,tight,tight:seed=2,28,100,3f0c...,9a1b...,106,106,branch-and-bound,...,stored,
 *
 * NAME and CLASS are words of small letters, digits, `-`, `_` and `.`.  WORKLOAD makes the
 * instance, with ';' for its commas.  BUFFERS counts its rows, LOAD is in bytes.  CHECKSUM is
 * instance_checksum's, SHA256 that of the CSV file.  LOWER is a proven lower bound on every peak
 * and UPPER the peak of a verified plan, in bytes, found by LOWER_BY (`load` where it is that) and
 * UPPER_BY; where the two are equal the optimum is known.  PLAN says where a plan of that peak is:
 * `stored`, which is plans/NAME.csv beside the table, or the solver that makes it, with seed 1,
 * no limit of time and ';' for commas.  CERTIFICATE is empty, or a file beside the table that
 * proves LOWER (lib/judge/certificate.h).  */
#ifndef ARENABENCH_HARNESS_SUITE_SUITE_H
#define ARENABENCH_HARNESS_SUITE_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

/* Instances of one version never change, bounds get better.  */
#define SUITE_VERSION "2026.1"
#define SUITE_PLAN_STORED "stored"

struct suite_entry {
    char *name, *class_name, *workload;
    int64_t buffers, load;
    uint64_t checksum;
    char *sha256;
    int64_t lower, upper;
    char *lower_by, *upper_by;
    char *plan, *certificate;
};

struct suite {
    size_t count, capacity;
    struct suite_entry *entry; /* in the order of the table */
};

/* Reads a whole table; the caller clears it.  On failure there is nothing to clear.  */
bool suite_read(struct suite *suite, FILE *in, const char *path, struct error *error);
/* False on an output error.  */
bool suite_write(FILE *out, const struct suite *suite);
void suite_clear(struct suite *suite);

/* The folder of the project's suite, or FOLDER itself where that is not NULL; the caller frees it.
 */
char *suite_folder(const char *folder);
/* A file of FOLDER for an instance: `plans/NAME.csv`.  The caller frees it.  */
char *suite_plan_path(const char *folder, const char *name);
char *suite_table_path(const char *folder);

/* Reads the table of FOLDER, as suite_read.  */
bool suite_open(struct suite *suite, const char *folder, struct error *error);

/* The entry called NAME, or NULL with a message that suggests the nearest.  */
struct suite_entry *suite_find(const struct suite *suite, const char *name, struct error *error);

/* Keeps the entries of the classes in CLASSES (joined by commas; NULL: all) that have at most MOST
 * buffers.  False with a message for a class that is none, or where none is left.  */
bool suite_select(struct suite *suite, const char *classes, int64_t most, struct error *error);

/* Makes the instance of ENTRY, which has to be the one of the table; NULL with a message.  The
 * caller frees it.  */
struct instance *suite_instance(const struct suite_entry *entry, struct error *error);

/* INSTANCE as its CSV file, whose checksum has to be that of ENTRY; NULL with a message.  The
 * caller frees it.  */
char *suite_csv(const struct suite_entry *entry, const struct instance *instance, size_t *length,
                struct error *error);

#endif
