/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "planner/disjunctive/pairs_certify.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/part_runs.h"
#include "lib/place/time_parts.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_log.h"
#include "planner/disjunctive/pairs_search.h"
#include "planner/disjunctive/proof_file.h"

/* Which of several parts of the time axis refutes the capacity is not known: they take turns,
 * each beginning anew with more choices, as there is one log.  */
#define FIRST_CHOICES 1000
#define MORE_CHOICES 4

struct certifying {
    struct part_runs runs; /* the cut alone */
    int64_t capacity;      /* bytes */
    double deadline;
    struct proof_file file;
    struct pairs_log log;
};

static enum pairs_result try_part(struct certifying *at, size_t index, int64_t choices)
{
    struct part_instance part;
    struct pairs_problem *problem;
    struct pairs_search search;
    enum pairs_result result;

    part_instance_begin(&part, &at->runs, index);
    problem = pairs_problem_new(part.instance, part.unit);
    pairs_search_init(&search, problem);
    at->log.member = part.member;
    pairs_search_log(&search, &at->log);
    result = pairs_search_run(&search, at->capacity / part.unit, choices, at->deadline);
    pairs_search_clear(&search);
    pairs_problem_free(problem);
    part_instance_end(&part);
    return result;
}

static int64_t more(int64_t choices)
{
    return min64(choices, INT64_MAX / MORE_CHOICES) * MORE_CHOICES;
}

/* Until a part refutes the capacity.  */
static bool try_parts(struct certifying *at, struct error *error)
{
    size_t parts = at->runs.parts, open = parts;
    bool *packed = memory_zalloc(parts, sizeof *packed), done = false;
    int64_t choices = parts > 1 ? FIRST_CHOICES : INT64_MAX / 2;

    for (; open > 0 && !done && timer_now() < at->deadline; choices = more(choices))
        for (size_t p = 0; p < parts && !done; p++) {
            enum pairs_result result;

            if (packed[p])
                continue;
            result = try_part(at, p, choices);
            packed[p] = result == PAIRS_PACKED;
            open -= packed[p];
            done = result == PAIRS_REFUTED;
        }
    memory_free(packed);
    if (done)
        return !at->log.failed || error_set(error, "a file that can't be cut can't take it");
    return error_set(error, open == 0 ? "there is a plan with a lower peak"
                                      : "the refutation takes too long");
}

/* --- the load --- */

struct event {
    int64_t step, bytes;
};

static int compare_events(const void *p, const void *q)
{
    const struct event *x = p, *y = q;

    return ORDER(x->step, y->step) ?: ORDER(x->bytes, y->bytes);
}

/* A step at which INSTANCE, of one buffer at least, uses the most bytes.  */
static int64_t fullest_step(const struct instance *instance)
{
    struct dsa_piece *piece;
    size_t pieces = dsa_pieces_find(instance, 1, &piece), fullest = 0;
    struct event *event = memory_alloc(2 * pieces, sizeof *event);
    int64_t bytes = 0, most = 0, step;

    for (size_t i = 0; i < pieces; i++) {
        event[2 * i] = (struct event){piece[i].begin, piece[i].hi - piece[i].lo};
        event[2 * i + 1] = (struct event){piece[i].end, piece[i].lo - piece[i].hi};
    }
    sort_stable(event, 2 * pieces, sizeof *event, compare_events);
    for (size_t i = 0; i < 2 * pieces; i++) {
        bytes += event[i].bytes;
        if (bytes > most) {
            most = bytes;
            fullest = i;
        }
    }
    step = event[fullest].step;
    memory_free(event);
    memory_free(piece);
    return step;
}

/* A buffer that is fixed so that it ends above CAPACITY; SIZE_MAX: none.  */
static size_t fixed_above(const struct instance *instance, int64_t capacity)
{
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        if (buffer->fixed >= 0 && buffer->fixed > capacity - buffer->size)
            return b;
    }
    return SIZE_MAX;
}

/* One line: the load does not fit, or the end of a fixed buffer.  */
static void certify_load(const struct instance *instance, int64_t capacity, FILE *out)
{
    struct certificate_scope scope = {
        .capacity = capacity, .begin = INT64_MAX, .end = INT64_MIN, .unit = 1};
    size_t above = fixed_above(instance, capacity);
    struct certificate_writer writer;

    for (size_t b = 0; b < instance->n; b++) {
        scope.begin = min64(scope.begin, instance->buffer[b].begin);
        scope.end = max64(scope.end, instance->buffer[b].end);
    }
    certificate_writer_begin(&writer, instance, out, &scope);
    if (above != SIZE_MAX) {
        const int64_t number[] = {1 + (int64_t)above, instance->buffer[above].fixed};

        certificate_writer_line(&writer, CERTIFICATE_FIXED, number, 2);
    } else {
        const int64_t number[] = {fullest_step(instance), 0, capacity};

        certificate_writer_line(&writer, CERTIFICATE_OVERLOAD, number, 3);
    }
    certificate_writer_end(&writer);
}

bool pairs_certify(const struct instance *instance, int64_t peak, double deadline, FILE *out,
                   struct error *error)
{
    struct certifying at = {
        .runs = {.instance = instance},
        .capacity = peak - 1,
        .deadline = deadline,
    };
    bool good;

    if (!certificate_possible(instance, error))
        return false;
    if (instance->n > 0 && peak <= instance->load) {
        certify_load(instance, peak - 1, out);
        return true;
    }
    at.runs.part = memory_alloc(instance->n, sizeof *at.runs.part);
    at.runs.parts = time_parts(instance, at.runs.part);
    proof_file_init(&at.file, instance, out);
    pairs_log_init(&at.log, instance, &at.file.sink);
    good = try_parts(&at, error);
    pairs_log_clear(&at.log);
    memory_free(at.runs.part);
    return good;
}
