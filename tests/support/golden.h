/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors from publications: instances as tables, plans to compare.  */
#ifndef ARENABENCH_TESTS_SUPPORT_GOLDEN_H
#define ARENABENCH_TESTS_SUPPORT_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

struct instance;

struct record {
    int64_t first, last, size; /* LAST is inclusive unless said otherwise */
};

/* Sealed; SHIFT = 1 turns inclusive last steps into half-open ends.  */
struct instance *golden_instance(const char *name, const struct record *record, size_t count,
                                 int64_t shift, int64_t alignment);

#define OFFSETS(...) ((const int64_t[]){__VA_ARGS__})

/* That each of the solvers that are named gives these records OFFSET; for the rest as
 * golden_instance and golden_offsets.  */
#define golden_plans(name, record, shift, alignment, offset, ...)                           \
    golden_plans_of(name, record, sizeof record / sizeof *record, shift, alignment, offset, \
                    (const char *const[]){__VA_ARGS__, NULL})
void golden_plans_of(const char *name, const struct record *record, size_t count, int64_t shift,
                     int64_t alignment, const int64_t *offset, const char *const *spec);

/* SPEC as in tests/support/run_solver.h.  One assertion; one a buffer; one, and one an object.  */
void golden_peak(const char *spec, const struct instance *instance, int64_t peak);
void golden_offsets(const char *spec, const struct instance *instance, const int64_t *offset);
void golden_objects(const char *spec, const struct instance *instance, const int64_t *size,
                    size_t objects);

/* A buffer with its name, and where it is expected.  */
struct golden_row {
    const char *id;
    int64_t begin, end, size, offset;
};

/* Sealed, with all sizes times SCALE.  */
struct instance *golden_rows(const struct golden_row *row, size_t count, int64_t scale);

/* One assertion a row: SPEC puts it where it is expected.  */
void golden_by_hand(const char *spec, const struct golden_row *row, size_t count);

#endif
