/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/moves_program.h"

#include <math.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "memories/split.h"

/* GLPK prunes what is better by less than this share, and no more is believed of its bounds.  */
#define BOUND_TOLERANCE 1e-7
#define INTEGRALITY 1e-9
/* Columns and entries of a program that GLPK can be given: beyond, it does not look at the clock
 * for seconds.  */
#define MOST_COLUMNS 60000
#define MOST_ENTRIES 600000

struct program {
    const struct moves_problem *problem;
    size_t memories;
    struct milp *milp;
    bool relaxed;
    int64_t base;               /* what all accesses cost at least: objectives are what is above */
    int64_t unit;               /* divides all that */
    size_t *used, *held, *room; /* columns: of access a in memory m [a * memories + m] */
    size_t *before, *after;     /* ... copied from f to m [(a * memories + f) * memories + m] */
    size_t *entry, entries, entry_room;
    double *coefficient;
    size_t coefficient_room;
};

/* --- rows --- */

static void begin_row(struct program *program)
{
    program->entries = 0;
}

/* Column NONE (SIZE_MAX) is one that is 0.  */
static void add_entry(struct program *program, size_t column, double coefficient)
{
    if (column == SIZE_MAX)
        return;
    program->entry = memory_grow(program->entry, &program->entry_room, program->entries + 1,
                                 sizeof *program->entry);
    program->coefficient = memory_grow(program->coefficient, &program->coefficient_room,
                                       program->entries + 1, sizeof *program->coefficient);
    program->entry[program->entries] = column;
    program->coefficient[program->entries++] = coefficient;
}

static void end_row(struct program *program, double low, double high)
{
    milp_add_row(program->milp, low, high, program->entry, program->coefficient, program->entries);
}

/* X <= Y.  */
static void add_order(struct program *program, size_t x, size_t y)
{
    if (x == SIZE_MAX)
        return;
    begin_row(program);
    add_entry(program, x, 1.0);
    add_entry(program, y, -1.0);
    end_row(program, -MILP_INFINITY, 0.0);
}

/* --- columns --- */

static size_t add_column(struct program *program, int64_t cost)
{
    return milp_add_column(program->milp, program->relaxed ? MILP_CONTINUOUS : MILP_BINARY, 0.0,
                           1.0, (double)(cost / program->unit));
}

static size_t *no_columns(size_t count)
{
    size_t *column = memory_alloc(count, sizeof *column);

    for (size_t i = 0; i < count; i++)
        column[i] = SIZE_MAX;
    return column;
}

/* Of access A of buffer B, wherever it is made; 0 where it can be made nowhere.  */
static int64_t least_cost(const struct moves_problem *problem, size_t b, size_t a)
{
    int64_t least = SPLIT_NEVER;

    for (size_t m = 0; m < problem->split->memories; m++)
        if (moves_allowed(problem, b, m))
            least = min64(least, moves_access_cost(problem, a, m));
    return least == SPLIT_NEVER ? 0 : least;
}

static void add_columns(struct program *program, size_t b, size_t a, bool first)
{
    const size_t memories = program->memories;

    for (size_t m = 0; m < memories; m++) {
        const size_t at = a * memories + m;

        if (!moves_allowed(program->problem, b, m))
            continue;
        program->used[at] = add_column(program, moves_access_cost(program->problem, a, m) -
                                                    least_cost(program->problem, b, a));
        program->held[at] = add_column(program, 0);
        program->room[at] = add_column(program, 0);
        for (size_t f = 0; f < memories; f++) {
            const size_t pair = (a * memories + f) * memories + m;

            if (f == m || !moves_allowed(program->problem, b, f))
                continue;
            if (!first)
                program->before[pair] =
                    add_column(program, moves_copy_cost(program->problem, b, f, m));
            program->after[pair] = add_column(program, moves_copy_cost(program->problem, b, f, m));
        }
    }
}

/* The objective counts what is above the base in the greatest unit that divides it: numbers are
 * small then, and bounds whole.  */
static void find_unit(struct program *program)
{
    const struct moves_problem *problem = program->problem;
    const struct accesses *accesses = &problem->accesses;

    for (size_t b = 0; b < problem->split->instance->n; b++) {
        for (size_t a = accesses->first[b]; a < accesses->first[b + 1]; a++) {
            const int64_t least = least_cost(problem, b, a);

            program->base += least;
            for (size_t m = 0; m < program->memories; m++)
                if (moves_allowed(problem, b, m))
                    program->unit = gcd64(program->unit, moves_access_cost(problem, a, m) - least);
        }
        for (size_t m = 0; m < program->memories; m++)
            for (size_t f = 0; f < program->memories; f++)
                program->unit = gcd64(program->unit, moves_copy_cost(problem, b, f, m));
    }
    program->unit = program->unit == 0 ? 1 : program->unit;
}

/* --- what a choice has to be --- */

/* Access A of a buffer: one memory, where it is or is copied to.  */
static void add_use(struct program *program, size_t a, bool first)
{
    const size_t memories = program->memories;

    begin_row(program);
    for (size_t m = 0; m < memories; m++)
        add_entry(program, program->used[a * memories + m], 1.0);
    end_row(program, 1.0, 1.0);
    for (size_t m = 0; m < memories && !first; m++) {
        if (program->used[a * memories + m] == SIZE_MAX)
            continue;
        begin_row(program);
        add_entry(program, program->used[a * memories + m], 1.0);
        add_entry(program, program->held[(a - 1) * memories + m], -1.0);
        for (size_t f = 0; f < memories; f++)
            add_entry(program, program->before[(a * memories + f) * memories + m], -1.0);
        end_row(program, -MILP_INFINITY, 0.0);
    }
}

/* What is held after access A: by what was held before, if that is still good, by the access, and
 * by copies.  */
static void add_hold(struct program *program, size_t a, bool makes, bool needed)
{
    const size_t memories = program->memories;

    if (needed) {
        begin_row(program);
        for (size_t m = 0; m < memories; m++)
            add_entry(program, program->held[a * memories + m], 1.0);
        end_row(program, 1.0, MILP_INFINITY);
    }
    for (size_t m = 0; m < memories; m++) {
        if (program->held[a * memories + m] == SIZE_MAX)
            continue;
        begin_row(program);
        add_entry(program, program->held[a * memories + m], 1.0);
        add_entry(program, program->used[a * memories + m], -1.0);
        if (!makes)
            add_entry(program, program->held[(a - 1) * memories + m], -1.0);
        for (size_t f = 0; f < memories; f++) {
            const size_t pair = (a * memories + f) * memories + m;

            add_entry(program, program->after[pair], -1.0);
            if (!makes)
                add_entry(program, program->before[pair], -1.0);
        }
        end_row(program, -MILP_INFINITY, 0.0);
    }
}

/* Copies at access A come from where the buffer is, and take room at both ends, as what is used and
 * held does.  */
static void add_room(struct program *program, size_t a, bool first)
{
    const size_t memories = program->memories;

    for (size_t m = 0; m < memories; m++) {
        const size_t room = program->room[a * memories + m];

        add_order(program, program->used[a * memories + m], room);
        add_order(program, program->held[a * memories + m], room);
        for (size_t f = 0; f < memories; f++) {
            const size_t pair = (a * memories + f) * memories + m;

            add_order(program, program->after[pair], program->used[a * memories + f]);
            add_order(program, program->after[pair], room);
            if (first)
                continue;
            add_order(program, program->before[pair], program->held[(a - 1) * memories + f]);
            add_order(program, program->before[pair], program->room[a * memories + f]);
            add_order(program, program->before[pair], room);
        }
    }
}

/* --- what fits --- */

/* Steps at which anything may begin to take room.  */
static int64_t *find_times(const struct moves_problem *problem, size_t *count)
{
    const struct instance *instance = problem->split->instance;
    const size_t accesses = moves_accesses(problem), most = accesses + instance->pieces;
    int64_t *time = memory_alloc(most, sizeof *time);

    for (size_t a = 0; a < accesses; a++)
        time[a] = problem->accesses.access[a].step;
    for (size_t p = 0; p < instance->pieces; p++)
        time[accesses + p] = instance->piece[p].begin;
    sort_stable(time, most, sizeof *time, compare64);
    *count = 0;
    for (size_t i = 0; i < most; i++)
        if (*count == 0 || time[*count - 1] != time[i])
            time[(*count)++] = time[i];
    return time;
}

/* Bytes of a buffer at a step, and the access whose step that is, or after which it is.  */
struct presence {
    size_t buffer, access;
    bool at_step;
    int64_t bytes;
};

/* All of them, by the step: those of time[i] are presence[first[i]] .. presence[first[i + 1]].  */
struct presences {
    size_t times, *first, count;
    int64_t *time;
    struct presence *presence;
};

/* The times from BEGIN on and before END: FROM to TO.  */
static size_t time_from(const struct presences *all, int64_t begin)
{
    return BISECT(i, 0, all->times, all->time[i] < begin);
}

static void count_presences(const struct moves_problem *problem, struct presences *all)
{
    const struct instance *instance = problem->split->instance;

    for (size_t b = 0; b < instance->n; b++)
        for (size_t i = time_from(all, instance->buffer[b].begin);
             i < all->times && all->time[i] < instance->buffer[b].end; i++)
            all->first[i + 1]++;
    for (size_t i = 0; i < all->times; i++)
        all->first[i + 1] += all->first[i];
    all->count = all->first[all->times];
}

static void fill_buffer(const struct moves_problem *problem, struct presences *all, size_t *end,
                        size_t b)
{
    const struct buffer *buffer = &problem->split->instance->buffer[b];
    size_t access = problem->accesses.first[b];
    struct piece *disjoint;
    const size_t pieces = pieces_disjoint(&problem->split->instance->piece[buffer->first_piece],
                                          buffer->pieces, &disjoint);

    for (size_t i = time_from(all, buffer->begin); i < all->times && all->time[i] < buffer->end;
         i++) {
        struct presence presence = {.buffer = b};

        while (access + 1 < problem->accesses.first[b + 1] &&
               problem->accesses.access[access + 1].step <= all->time[i])
            access++;
        presence.access = access;
        presence.at_step = problem->accesses.access[access].step == all->time[i];
        for (size_t p = 0; p < pieces; p++)
            if (disjoint[p].begin <= all->time[i] && all->time[i] < disjoint[p].end)
                presence.bytes += disjoint[p].hi - disjoint[p].lo;
        all->presence[end[i]++] = presence;
    }
    memory_free(disjoint);
}

/* False where there are too many.  */
static bool find_presences(const struct moves_problem *problem, struct presences *all)
{
    size_t *end;

    all->time = find_times(problem, &all->times);
    all->first = memory_zalloc(all->times + 1, sizeof *all->first);
    all->presence = NULL;
    count_presences(problem, all);
    if (all->count > MOST_ENTRIES)
        return false;
    all->presence = memory_alloc(all->count, sizeof *all->presence);
    end = memory_alloc(all->times, sizeof *end);
    for (size_t i = 0; i < all->times; i++)
        end[i] = all->first[i];
    for (size_t b = 0; b < problem->split->instance->n; b++)
        fill_buffer(problem, all, end, b);
    memory_free(end);
    return true;
}

static void clear_presences(struct presences *all)
{
    memory_free(all->time);
    memory_free(all->first);
    memory_free(all->presence);
}

/* The bytes in memory M at time I fit, if they might not.  */
static void add_capacity(struct program *program, const struct presences *all, size_t m, size_t i)
{
    const int64_t room = memory_room(&program->problem->split->memory[m]);
    int64_t sum = 0, unit = 0;

    for (size_t k = all->first[i]; k < all->first[i + 1]; k++) {
        sum += all->presence[k].bytes;
        unit = gcd64(unit, all->presence[k].bytes);
    }
    if (sum <= room)
        return;
    begin_row(program);
    for (size_t k = all->first[i]; k < all->first[i + 1]; k++) {
        const struct presence *presence = &all->presence[k];
        const size_t at = presence->access * program->memories + m;

        if (presence->bytes > 0)
            add_entry(program, presence->at_step ? program->room[at] : program->held[at],
                      (double)(presence->bytes / unit));
    }
    end_row(program, -MILP_INFINITY, (double)(room / unit));
}

/* --- all of it --- */

static void build(struct program *program, const struct presences *all)
{
    const struct moves_problem *problem = program->problem;
    const struct accesses *accesses = &problem->accesses;
    const size_t count = moves_accesses(problem), memories = program->memories;

    program->used = no_columns(count * memories);
    program->held = no_columns(count * memories);
    program->room = no_columns(count * memories);
    program->before = no_columns(count * memories * memories);
    program->after = no_columns(count * memories * memories);
    find_unit(program);
    for (size_t b = 0; b < problem->split->instance->n; b++) {
        const size_t from = accesses->first[b], to = accesses->first[b + 1];

        for (size_t a = from; a < to; a++)
            add_columns(program, b, a, a == from);
        for (size_t a = from; a < to; a++) {
            const bool last = a + 1 == to;

            add_use(program, a, a == from);
            add_hold(program, a, a == from || accesses->access[a].writes > 0,
                     !last ||
                         accesses->access[a].step + 1 < problem->split->instance->buffer[b].end);
            add_room(program, a, a == from);
        }
    }
    for (size_t m = 0; m < memories; m++)
        for (size_t i = 0; problem->split->memory[m].capacity < INT64_MAX && i < all->times; i++)
            add_capacity(program, all, m, i);
}

static void read_choice(const struct program *program, const double *value,
                        struct move_choice *choice)
{
    for (size_t a = 0; a < moves_accesses(program->problem); a++) {
        choice->held[a] = 0;
        for (size_t m = 0; m < program->memories; m++) {
            const size_t at = a * program->memories + m;

            if (program->used[at] == SIZE_MAX)
                continue;
            if (value[program->used[at]] > 0.5)
                choice->used[a] = m;
            if (value[program->held[at]] > 0.5)
                choice->held[a] |= (uint32_t)1 << m;
        }
    }
}

/* Costs are whole numbers of the unit, so a bound rises to the next one.  */
static void raise_bound(const struct program *program, double found, int64_t *bound)
{
    const double units = ceil(found - BOUND_TOLERANCE * fabs(found) - 1e-6);

    if (units >= 0.0 && units < 9e15)
        *bound = max64(*bound, program->base + (int64_t)units * program->unit);
}

static enum master_result solve(struct program *program, double deadline, int64_t *bound,
                                struct move_choice *choice)
{
    const struct milp_limits limits = {
        .time_s = isinf(deadline) ? 0.0 : fmax(deadline - timer_now(), 1e-3),
        .integrality = INTEGRALITY,
        .stop_at = -MILP_INFINITY,
        .cuts = !program->relaxed && milp_columns(program->milp) <= 2000};
    double *value = memory_zalloc(milp_columns(program->milp), sizeof *value), found = -INFINITY;
    const enum milp_result result = milp_solve(program->milp, &limits, NULL, value, &found, NULL);

    if (choice != NULL && result == MILP_OPTIMAL)
        read_choice(program, value, choice);
    if (result != MILP_INFEASIBLE)
        raise_bound(program, found, bound);
    memory_free(value);
    if (result == MILP_INFEASIBLE)
        return MASTER_INFEASIBLE;
    return result == MILP_OPTIMAL ? MASTER_OPTIMAL : MASTER_LIMIT;
}

enum master_result moves_program_solve(const struct moves_problem *problem, bool relaxed,
                                       double deadline, int64_t *bound, struct move_choice *choice)
{
    const size_t memories = problem->split->memories;
    struct program program = {
        .problem = problem, .memories = memories, .milp = milp_new(), .relaxed = relaxed};
    struct presences all;
    enum master_result result = MASTER_LIMIT;

    if (find_presences(problem, &all) &&
        moves_accesses(problem) * memories * (3 + 2 * memories) <= MOST_COLUMNS) {
        build(&program, &all);
        result = solve(&program, deadline, bound, choice);
    }
    clear_presences(&all);
    milp_free(program.milp);
    memory_free(program.used);
    memory_free(program.held);
    memory_free(program.room);
    memory_free(program.before);
    memory_free(program.after);
    memory_free(program.entry);
    memory_free(program.coefficient);
    return result;
}
