/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/cores.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"

/* No more is believed of GLPK's bounds.  */
#define BOUND_TOLERANCE 1e-6

void cores_clear(struct cores *cores)
{
    for (size_t c = 0; c < cores->count; c++)
        memory_free(cores->core[c].pair);
    memory_free(cores->core);
}

static void add(struct cores *cores, const bool *hard, size_t least)
{
    struct core core = {.least = least};
    size_t room = 0;

    for (size_t i = 0; i < cores->part->n_costs; i++) {
        if (!hard[i])
            continue;
        core.pair = memory_grow(core.pair, &room, core.count + 1, sizeof *core.pair);
        core.pair[core.count++] = i;
    }
    cores->core = memory_grow(cores->core, &cores->room, cores->count + 1, sizeof *cores->core);
    cores->core[cores->count++] = core;
}

void cores_add(struct cores *cores, const bool *hard)
{
    add(cores, hard, 1);
}

/* --- cliques --- */

struct clique {
    const struct hazard_part *part;
    size_t *member, count;
    size_t *place;  /* of a buffer among the members; SIZE_MAX: it is none */
    size_t *degree; /* of a member: pairs with others that pay */
    bool *hard;     /* these pairs */
};

static void mark_pairs(struct clique *clique)
{
    const struct hazard_part *part = clique->part;

    for (size_t b = 0; b < part->plain->n; b++)
        clique->place[b] = SIZE_MAX;
    for (size_t k = 0; k < clique->count; k++) {
        clique->place[clique->member[k]] = k;
        clique->degree[k] = 0;
    }
    for (size_t i = 0; i < part->n_costs; i++) {
        const size_t a = clique->place[part->cost[i].a], b = clique->place[part->cost[i].b];

        clique->hard[i] = a != SIZE_MAX && b != SIZE_MAX;
        if (clique->hard[i]) {
            clique->degree[a]++;
            clique->degree[b]++;
        }
    }
}

static double size_of(const struct clique *clique, size_t k)
{
    return (double)clique->part->plain->buffer[clique->member[k]].size;
}

/* The least half of sum(d) with sum(size / (d + 1)) <= capacity and d <= degree: each step takes
 * the member where one more saves most, which is best as what it saves falls.  */
static size_t least_of(const struct clique *clique)
{
    size_t *d = memory_zalloc(clique->count, sizeof *d), steps = 0;
    double sum = 0.0;

    for (size_t k = 0; k < clique->count; k++)
        sum += size_of(clique, k);
    /* What is lost by rounding makes the bound lower, never higher.  */
    while (sum > (double)clique->part->capacity * (1.0 + 1e-9)) {
        double most = 0.0;
        size_t best = SIZE_MAX;

        for (size_t k = 0; k < clique->count; k++) {
            const double saved = size_of(clique, k) / ((double)(d[k] + 1) * (double)(d[k] + 2));

            if (d[k] < clique->degree[k] && saved > most) {
                most = saved;
                best = k;
            }
        }
        if (best == SIZE_MAX)
            break;
        d[best]++;
        steps++;
        sum -= most;
    }
    memory_free(d);
    return (steps + 1) / 2;
}

static void swap(size_t *a, size_t *b)
{
    const size_t kept = *a;

    *a = *b;
    *b = kept;
}

/* Leaves out members without which as many pairs pay.  */
static void shrink(struct clique *clique, size_t least)
{
    for (size_t k = 0; k < clique->count;) {
        swap(&clique->member[k], &clique->member[--clique->count]);
        mark_pairs(clique);
        if (least_of(clique) >= least)
            continue;
        swap(&clique->member[k++], &clique->member[clique->count++]);
    }
    mark_pairs(clique);
}

void cores_add_clique(struct cores *cores, size_t *member, size_t count)
{
    const struct hazard_part *part = cores->part;
    struct clique clique = {
        .part = part,
        .member = member,
        .count = count,
        .place = memory_alloc(part->plain->n, sizeof *clique.place),
        .degree = memory_alloc(count, sizeof *clique.degree),
        .hard = memory_alloc(part->n_costs, sizeof *clique.hard),
    };
    size_t least;

    mark_pairs(&clique);
    least = least_of(&clique);
    shrink(&clique, least);
    add(cores, clique.hard, least);
    memory_free(clique.place);
    memory_free(clique.degree);
    memory_free(clique.hard);
}

/* --- the master --- */

/* A column for each pair that some core has, costs divided by UNIT.  */
static struct milp *make_program(const struct cores *cores, int64_t unit, size_t *column)
{
    const struct hazard_part *part = cores->part;
    struct milp *milp = milp_new();
    size_t *entry = memory_alloc(part->n_costs, sizeof *entry);
    double *one = memory_alloc(part->n_costs, sizeof *one);

    for (size_t i = 0; i < part->n_costs; i++) {
        column[i] = SIZE_MAX;
        one[i] = 1.0;
    }
    for (size_t c = 0; c < cores->count; c++) {
        const struct core *core = &cores->core[c];

        for (size_t k = 0; k < core->count; k++) {
            const size_t i = core->pair[k];

            if (column[i] == SIZE_MAX)
                column[i] = milp_add_column(milp, MILP_BINARY, 0.0, 1.0,
                                            (double)(part->cost[i].cost / unit));
            entry[k] = column[i];
        }
        milp_add_row(milp, (double)core->least, MILP_INFINITY, entry, one, core->count);
    }
    memory_free(entry);
    memory_free(one);
    return milp;
}

static int64_t unit_of(const struct hazard_part *part)
{
    int64_t unit = 0;

    for (size_t i = 0; i < part->n_costs; i++)
        unit = gcd64(unit, part->cost[i].cost);
    return max64(unit, 1);
}

bool cores_hit(const struct cores *cores, double deadline, bool *pays, int64_t *bound, bool *best)
{
    const struct hazard_part *part = cores->part;
    const int64_t unit = unit_of(part);
    const struct milp_limits limits = {
        .time_s = isinf(deadline) ? 0.0 : fmax(deadline - timer_now(), 1e-3),
        .stop_at = -MILP_INFINITY};
    size_t *column = memory_alloc(part->n_costs, sizeof *column);
    struct milp *milp = make_program(cores, unit, column);
    double *value = memory_alloc(milp_columns(milp) + 1, sizeof *value), low = -INFINITY;
    const enum milp_result result = milp_solve(milp, &limits, NULL, value, &low, NULL);

    if (low > 0.0 && low < 9e15)
        *bound =
            max64(*bound, unit * (int64_t)ceil(low * (1.0 - BOUND_TOLERANCE) - BOUND_TOLERANCE));
    for (size_t i = 0; i < part->n_costs && (result == MILP_OPTIMAL || result == MILP_FEASIBLE);
         i++)
        pays[i] = column[i] != SIZE_MAX && value[column[i]] > 0.5;
    milp_free(milp);
    memory_free(column);
    memory_free(value);
    *best = result == MILP_OPTIMAL;
    return result == MILP_OPTIMAL || result == MILP_FEASIBLE;
}
