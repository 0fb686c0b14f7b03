/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/assign_place.h"

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/section_plan.h"
#include "planner/library/assign_model.h"
#include "planner/library/call.h"
#include "planner/library/prepare.h"

/* Placements for one more buffer in a memory that has the room: a try, not a search.  */
#define NODES_TO_ADD 2000

/* --- plans --- */

void assign_plan_init(struct assign_plan *plan, const struct assign_model *model)
{
    if (model->sections > 0 && model->memories > SIZE_MAX / model->sections)
        memory_exhausted();
    plan->memory = memory_alloc(model->n, sizeof *plan->memory);
    plan->offset = memory_alloc(model->n, sizeof *plan->offset);
    plan->used = memory_alloc(model->memories * model->sections, sizeof *plan->used);
    assign_plan_empty(plan, model);
}

void assign_plan_clear(struct assign_plan *plan)
{
    memory_free(plan->memory);
    memory_free(plan->offset);
    memory_free(plan->used);
}

void assign_plan_copy(struct assign_plan *to, const struct assign_plan *from,
                      const struct assign_model *model)
{
    if (model->n == 0)
        return;
    memcpy(to->memory, from->memory, model->n * sizeof *to->memory);
    memcpy(to->offset, from->offset, model->n * sizeof *to->offset);
    if (model->sections > 0)
        memcpy(to->used, from->used, model->memories * model->sections * sizeof *to->used);
    to->cost = from->cost;
    to->placed = from->placed;
}

void assign_plan_empty(struct assign_plan *plan, const struct assign_model *model)
{
    for (size_t b = 0; b < model->n; b++) {
        plan->memory[b] = SIZE_MAX;
        plan->offset[b] = 0;
    }
    for (size_t i = 0; i < model->memories * model->sections; i++)
        plan->used[i] = 0;
    plan->cost = 0;
    plan->placed = 0;
}

bool assign_is_over(const struct assign_search *search)
{
    return search->work <= 0 || timer_now() >= search->deadline;
}

/* Notes that buffer B lies in memory M, or with a SIGN of -1 no more.  */
static void note(const struct assign_model *model, struct assign_plan *plan, size_t b, size_t m,
                 int64_t sign)
{
    int64_t *used = &plan->used[m * model->sections];

    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
        const struct assign_piece *piece = &model->piece[i];

        for (size_t s = piece->first; s <= piece->last; s++)
            used[s] += sign * (piece->high - piece->low);
    }
    plan->cost += sign * assign_cost(model, b, m);
    plan->memory[b] = sign > 0 ? m : SIZE_MAX;
    plan->placed += sign > 0 ? (size_t)1 : SIZE_MAX;
}

void assign_take(const struct assign_model *model, struct assign_plan *plan, size_t b)
{
    note(model, plan, b, plan->memory[b], -1);
}

/* --- gaps --- */

static bool has_room(const struct assign_model *model, const struct assign_plan *plan, size_t b,
                     size_t m)
{
    const int64_t *used = &plan->used[m * model->sections];
    const int64_t capacity = model->memory[m].capacity;

    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
        const struct assign_piece *piece = &model->piece[i];

        for (size_t s = piece->first; s <= piece->last; s++)
            if (piece->high - piece->low > capacity - used[s])
                return false;
    }
    return true;
}

/* Offsets above LOW and below HIGH are taken.  */
struct taken {
    int64_t low, high;
};

static int compare_taken(const void *a, const void *b)
{
    const struct taken *x = a, *y = b;

    return ORDER(x->low, y->low);
}

/* Adds what buffer C takes from buffer B.  */
static void add_taken(const struct assign_model *model, const struct assign_plan *plan, size_t b,
                      size_t c, struct taken **taken, size_t *count, size_t *room)
{
    const struct assign_piece *piece = model->piece;

    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++)
        for (size_t k = model->first_piece[c]; k < model->first_piece[c + 1]; k++) {
            if (piece[i].begin >= piece[k].end || piece[k].begin >= piece[i].end)
                continue;
            *taken = memory_grow(*taken, room, *count + 1, sizeof **taken);
            (*taken)[(*count)++] = (struct taken){plan->offset[c] + piece[k].low - piece[i].high,
                                                  plan->offset[c] + piece[k].high - piece[i].low};
        }
}

/* The lowest offset for buffer B in memory M, or its fixed one; false where that is too high.  */
static bool find_gap(const struct assign_model *model, const struct assign_plan *plan, size_t b,
                     size_t m, int64_t *offset)
{
    const struct arenaplan_buffer buffer = assign_buffer(model, b, m);
    const int64_t last = model->memory[m].capacity - problem_size(&buffer);
    const int64_t alignment = problem_is_fixed(&buffer) ? 1 : buffer.alignment;
    const int64_t from = problem_is_fixed(&buffer) ? buffer.offset : 0;
    struct taken *taken = NULL;
    size_t count = 0, room = 0;

    for (size_t c = 0; c < model->n; c++)
        if (plan->memory[c] == m)
            add_taken(model, plan, b, c, &taken, &count, &room);
    sort_stable(taken, count, sizeof *taken, compare_taken);
    *offset = from;
    for (size_t i = 0; i < count && taken[i].low < *offset; i++)
        if (taken[i].high > *offset)
            *offset = capped_align(taken[i].high, alignment);
    memory_free(taken);
    return *offset <= last && (*offset == from || !problem_is_fixed(&buffer));
}

/* --- the planner --- */

/* The buffers in memory M, and buffer B; returns how many.  */
static size_t list_set(const struct assign_model *model, const struct assign_plan *plan, size_t b,
                       size_t m, size_t *set, struct arenaplan_buffer *buffer)
{
    size_t count = 0;

    for (size_t c = 0; c < model->n; c++) {
        if (c != b && plan->memory[c] != m)
            continue;
        buffer[count] = assign_buffer(model, c, m);
        set[count++] = c;
    }
    return count;
}

/* Offsets of SET, where they are within the capacity of memory M.  */
static bool ask_planner(struct assign_search *search, const struct arenaplan_problem *part,
                        const size_t *set, size_t m, int64_t nodes, int64_t *offset)
{
    struct call *call = search->call;
    const int64_t capacity = search->model->memory[m].capacity;
    const struct section_plan_limits limits = {nodes, search->deadline, false, false};
    const struct solver_env env = {.seed = call->options.seed == 0 ? 1 : call->options.seed,
                                   .goal = capacity == ARENAPLAN_UNLIMITED ? 0 : capacity,
                                   .statistics = &call->counted};
    struct prepared prepared;
    struct plan *plan;
    bool fits;

    prepare(&prepared, part);
    plan = plan_new(&prepared.instance);
    if (prepared.instance.load <= capacity)
        section_plan(&prepared.instance, &env, &limits, false, plan);
    fits = prepared.instance.load <= capacity && plan->peak <= capacity;
    search->work -= plan->nodes + 1;
    for (size_t i = 0; fits && i < prepared.instance.n; i++)
        offset[set[prepared.index == NULL ? i : prepared.index[i]]] = plan->offset[i];
    plan_free(plan);
    prepared_clear(&prepared);
    return fits;
}

bool assign_place_anew(struct assign_search *search, struct assign_plan *plan, size_t b, size_t m,
                       int64_t nodes)
{
    const struct assign_model *model = search->model;
    size_t *set = memory_alloc(model->n, sizeof *set);
    struct arenaplan_buffer *buffer = memory_alloc(model->n, sizeof *buffer);
    struct arenaplan_problem part = ARENAPLAN_PROBLEM(buffer, 0);
    bool fits;

    part.count = list_set(model, plan, b, m, set, buffer);
    fits = part.count == 0 || ask_planner(search, &part, set, m, nodes, plan->offset);
    memory_free(set);
    memory_free(buffer);
    return fits;
}

/* --- one by one --- */

static bool may_place_anew(const struct assign_search *search)
{
    return search->work > max64(search->anew_work, 0) &&
           timer_now() <
               (search->anew_until < search->deadline ? search->anew_until : search->deadline);
}

bool assign_put(struct assign_search *search, struct assign_plan *plan, size_t b, size_t m,
                bool anew)
{
    const struct assign_model *model = search->model;
    int64_t offset = 0;

    search->work--;
    if (!assign_is_unlimited(model, m) && model->first_piece[b] < model->first_piece[b + 1]) {
        if (!has_room(model, plan, b, m))
            return false;
        if (find_gap(model, plan, b, m, &offset))
            plan->offset[b] = offset;
        else if (!anew || !may_place_anew(search) ||
                 !assign_place_anew(search, plan, b, m, min64(NODES_TO_ADD, search->work)))
            return false;
    }
    note(model, plan, b, m, 1);
    return true;
}

bool assign_put_cheapest(struct assign_search *search, struct assign_plan *plan, size_t b,
                         int64_t dearest, bool anew)
{
    const struct assign_model *model = search->model;

    for (size_t i = 0; i < model->choices[b]; i++) {
        const size_t m = assign_choice(model, b, i);

        if (assign_cost(model, b, m) >= dearest)
            return false;
        if (assign_put(search, plan, b, m, anew))
            return true;
    }
    return false;
}
