/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What upstream's planners answered, as it is recorded here, and the instances that they
 * were asked.
 *
 *   MANIFEST.csv    a row a program: how its instances are made of the rows, what is
 *                   compared and with which answers, seed and work limit of ours, where the
 *                   code is from
 *   instances.csv   alignment, and begin, end and size of each buffer, which are called
 *                   b00, b01, ...
 *   overwrites.csv  MegEngine's dumps (workloads/readers/megengine/dump.h), on a line each
 *   answers/        a file a program, or one for two that agree: of each instance the peak and,
 *                   where they are compared, the offsets of the rows or of the dump's intervals
 *
 * An instance that is in neither file is one of the real inputs, by its path.  What can't
 * be read, or contradicts itself, ends the program with a message.  */
#ifndef ARENABENCH_TESTS_UPSTREAM_RECORDED_H
#define ARENABENCH_TESTS_UPSTREAM_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;

enum recorded_rows {
    ROWS_AS_IS,
    ROWS_BY_BEGIN, /* sorted stably */
    ROWS_RANKED,   /* times numbered from 0 without holes */
    ROWS_DUMP,     /* of overwrites.csv */
};

/* A row of MANIFEST.csv.  */
struct recorded_program {
    char *name;
    enum recorded_rows rows;
    bool aligned;  /* it was given the alignments */
    char *judged;  /* offsets, total, peak */
    char *answers; /* the file's stem: the program's name, or that of one that answered the same */
    uint32_t seed;
    int64_t work;
    char *repository, *commit;
};

struct recorded_programs {
    size_t count;
    struct recorded_program *item;
};

struct recorded_programs recorded_programs_read(void);
void recorded_programs_clear(struct recorded_programs *programs);

/* The one called NAME, or NULL.  */
const struct recorded_program *recorded_program(const struct recorded_programs *programs,
                                                const char *name);

struct recorded_answer {
    char *instance;
    int64_t peak;
    size_t n; /* 0: only the peak is recorded */
    int64_t *offset;
};

struct recorded_answers {
    size_t count;
    struct recorded_answer *item;
};

struct recorded_answers recorded_answers_read(const struct recorded_program *program);
void recorded_answers_clear(struct recorded_answers *answers);

/* The instances of both files.  */
struct recorded_instances {
    size_t count;
    struct recorded_instance *item;
};

struct recorded_instances recorded_instances_read(void);
void recorded_instances_clear(struct recorded_instances *instances);

/* The instance NAME as PROGRAM was given it; NULL for a real input that is not here
 * (lib/base/real_inputs.h).  The caller frees it.  */
struct instance *recorded_instance(const struct recorded_instances *instances, const char *name,
                                   const struct recorded_program *program);

/* The intervals of the dump NAME.  */
struct recorded_dump {
    size_t n;
    int64_t *interval; /* begin, end and size of each */
    size_t wishes;
    int64_t *wish; /* src, dest and offset of each: SRC overwrites DEST */
};

struct recorded_dump recorded_dump(const struct recorded_instances *instances, const char *name);
void recorded_dump_clear(struct recorded_dump *dump);

#endif
