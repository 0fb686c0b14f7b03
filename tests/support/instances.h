/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances and networks: by hand, and by the names that the command line takes.  */
#ifndef ARENABENCH_TESTS_SUPPORT_INSTANCES_H
#define ARENABENCH_TESTS_SUPPORT_INSTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct instance;
struct network;
struct piece;

/* Seals INSTANCE and returns it; one that can't be sealed ends the program.  */
struct instance *sealed(struct instance *instance);

/* Adds a buffer that is called as its number, b0, b1 and so on.  */
void add_buffer(struct instance *instance, int64_t begin, int64_t end, int64_t size,
                int64_t alignment);
void add_shape(struct instance *instance, const struct piece *piece, size_t count,
               int64_t alignment);

/* Adds buffers to INSTANCE: ROWS has "ID BEGIN END SIZE", then perhaps the alignment, of each,
 * apart by semicolons.  One of several pieces has "BEGIN END LOW-HIGH" of each of them with a plus
 * between.  Another text ends the program.  */
void rows_add(struct instance *instance, const char *rows);

/* These alone, sealed.  */
struct instance *instance_of_rows(const char *rows);

/* Whether buffers A and B have a step in common, all their pieces looked at.  */
bool lives_meet(const struct instance *instance, size_t a, size_t b);

/* Whether they use a byte at the same step where B lies D above A.  */
bool bytes_meet(const struct instance *instance, size_t a, size_t b, int64_t d);

/* INSTANCE as a CSV file; the caller frees it.  */
char *csv_of(const struct instance *instance);

/* Buffers a (10 bytes) and b (7, with ALIGNMENT) touch in time, c (5) overlaps
 * both: load and, with alignment 1, optimum 15; stacked 22.  */
struct instance *three(int64_t alignment);

/* Adds the gap gadget to INSTANCE, the smallest set of buffers whose optimum is above its
 * load (5 against 4): 7 buffers in the 5 steps from BEGIN on, with sizes times SCALE, named
 * a to g before COPY.  */
void add_gadget(struct instance *instance, int64_t copy, int64_t begin, int64_t scale);

/* It alone.  */
struct instance *gap_gadget(int64_t scale);

/* What `arenabench lifetimes SPEC` writes, and the network that SPEC names; NULL with a message
 * in ERROR, which is empty otherwise.  */
struct instance *instance_from(const char *spec, struct error *error);
struct network *network_from(const char *spec, struct error *error);

/* The same instance with all that a run needs.  */
struct instance *runnable_from(const char *spec, struct error *error);

/* The same, without which the test makes no sense: where there is none the program ends.  */
struct instance *instance_of(const char *spec);
struct network *network_of(const char *spec);
struct instance *runnable_of(const char *spec);

#endif
