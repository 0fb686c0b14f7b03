/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nnc: tensors inserted into a flow of memory, the largest first.
 *
 * The solution is a graph: an edge from u to v says that v may take some bytes of
 * u's place, from an offset on, once u is dead; the source stands for fresh
 * memory, the sink for memory after its last use.  Two tensors can be joined
 * only if one is dead before the other is born whatever order the operators run
 * in (order=graph: all operators that use the one come after all that use the
 * other), or by the steps of this schedule (order=steps).
 *
 * rule=size, today's: of the tensors that are left, those of the largest size,
 * by the number of tensors left that they interfere with, descending.  The first
 * for which the flow has an edge that is wide enough, between a tensor before it
 * and one after it, is inserted there, on the edge that bridges the fewest
 * operators (the distance to the source or sink counts as more than any); it
 * takes the first bytes of the edge.  Where none has one, the first begins a
 * buffer of its own.  Its place, once split, never grows together again, hence
 * the largest first.
 *
 * rule=tuples, until 2019: the tensors with most interferences, each alone or
 * with a larger one that it does not interfere with, by size and then by
 * interferences; the two of a tuple share their place in order of time.  One of as
 * many interferences that is larger than those before it begins the list anew.
 *
 * Companions: a buffer that is idle for a while, such as a carried value of a loop and its
 * next one that share a place (loops=coalloc), is with order=steps a tensor for each stretch
 * in which it is in use.  They are inserted together, with one offset, and other tensors may
 * lie between them:
 *
 *   160 bytes in [0, 2) and in [4, 6); 80 in [1, 3); 120 in [2, 4); 80 in [3, 5): the 120
 *   lie between the two of 160, both of 80 in a buffer of their own: 240 in all
 *
 * Source: Liu Liu, "The NNC tensor allocation algorithm"; ccv,
 * lib/nnc/ccv_nnc_symbolic_graph_compile.c (both rules, before and after commit
 * 664e45be).
 * Complexity: rule=size O(n^2) times the lifetimes' neighbours, rule=tuples
 * O(n^3) and more.  Guarantee: none is known.
 * Differences: in-place operators and what loops co-allocate are decided before
 * (inplace=nnc, loops=); there companions are two, here as many as there are stretches, with
 * rule=tuples they take no further tensor, and order=graph, which sees no loops, has none; all
 * tensors are of one type; sizes are rounded up to the instance's alignment; what the source
 * leaves to its sorting or to the order of a hash table goes by index.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/hops.h"
#include "solvers/shipped/nnc_flow.h"
#include "solvers/solver.h"

enum rule { RULE_SIZE, RULE_TUPLES };
enum { ORDER_GRAPH, ORDER_STEPS };
enum { AS_SEPARATE, AS_ARENA };

static const struct param nnc_params[] = {
    PARAM_ENUM("rule", "size", "which tensors are tried first", {"size", RULE_SIZE},
               {"tuples", RULE_TUPLES}),
    PARAM_ENUM("order", "graph", "what must order two tensors that share memory",
               {"graph", ORDER_GRAPH}, {"steps", ORDER_STEPS}),
    PARAM_ENUM("as", "separate",
               "whether its buffers count as separate ones or stacked in one arena",
               {"separate", AS_SEPARATE}, {"arena", AS_ARENA}),
    PARAM_END,
};

static bool interfere(const struct nnc *nnc, size_t a, size_t b)
{
    return hops_after(nnc->hops, a, b) == 0 && hops_after(nnc->hops, b, a) == 0;
}

/* --- candidates --- */

static bool is_tuple(const struct nnc_candidate *candidate)
{
    return candidate->first != candidate->last;
}

/* The one of a tuple that joined the single one.  */
static size_t joined(const struct nnc_candidate *candidate)
{
    return candidate->first != candidate->single ? candidate->first : candidate->last;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct nnc_candidate *x = a, *y = b;

    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if (x->interferes != y->interferes)
        return x->interferes > y->interferes ? -1 : 1;
    if (x->single != y->single)
        return x->single < y->single ? -1 : 1;
    if (is_tuple(x) != is_tuple(y))
        return is_tuple(y) ? -1 : 1;
    return (joined(x) > joined(y)) - (joined(x) < joined(y));
}

struct candidates {
    struct nnc_candidate *item;
    size_t count, capacity;
};

static void add_candidate(struct candidates *list, struct nnc_candidate candidate)
{
    list->item = memory_grow(list->item, &list->capacity, list->count + 1, sizeof *list->item);
    list->item[list->count++] = candidate;
}

/* Tensor I, which follows no other, and its companions.  */
static struct nnc_candidate with_companions(const struct nnc *nnc, size_t i)
{
    struct nnc_candidate candidate = {i, i, nnc->node[i].size, nnc->node[i].interferes, i};

    while (nnc->node[candidate.last].next != NNC_NOBODY) {
        candidate.last = nnc->node[candidate.last].next;
        candidate.interferes += nnc->node[candidate.last].interferes;
    }
    return candidate;
}

static bool has_companions(const struct nnc_node *node)
{
    return node->follows || node->next != NNC_NOBODY;
}

/* The tensors left of the largest size, or with most interferences.  By interferences a
 * larger one clears the list of what came before it, and a smaller one that comes after it
 * is added.  */
static void add_singles(const struct nnc *nnc, enum rule rule, struct candidates *list)
{
    uint64_t best = 0;
    int64_t largest = 0;

    for (size_t i = 0; i < nnc->instance->n; i++) {
        const struct nnc_node *node = &nnc->node[i];
        struct nnc_candidate candidate;
        uint64_t key;

        if (node->group != NNC_NOBODY || node->follows)
            continue;
        candidate = with_companions(nnc, i);
        key = rule == RULE_SIZE ? (uint64_t)candidate.size : candidate.interferes;
        if (key < best)
            continue;
        if (key > best || candidate.size > largest) {
            list->count = 0;
            largest = candidate.size;
        }
        best = key;
        add_candidate(list, candidate);
    }
}

/* To each single one, itself with each larger tensor left that it does not
 * interfere with.  */
static void add_tuples(const struct nnc *nnc, struct candidates *list)
{
    size_t singles = list->count;

    for (size_t s = 0; s < singles; s++) {
        size_t i = list->item[s].first;

        if (has_companions(&nnc->node[i]))
            continue;
        for (size_t k = 0; k < nnc->instance->n; k++) {
            const struct nnc_node *other = &nnc->node[k];
            struct nnc_candidate tuple = {i, k, other->size,
                                          list->item[s].interferes + other->interferes, i};

            if (other->group != NNC_NOBODY || has_companions(other) ||
                other->size <= nnc->node[i].size || interfere(nnc, i, k))
                continue;
            if (hops_after(nnc->hops, i, k) > 0) {
                tuple.first = k;
                tuple.last = i;
            }
            add_candidate(list, tuple);
        }
    }
}

/* --- insertion --- */

static void set_flow(struct nnc *nnc, size_t from, size_t to, struct nnc_flow flow)
{
    struct nnc_node *node;

    if (from == NNC_SOURCE) {
        nnc->node[to].from_source = flow;
        return;
    }
    node = &nnc->node[from];
    if (to == NNC_SINK) {
        node->to_sink = flow;
        return;
    }
    for (size_t e = 0; e < node->outs; e++)
        if (node->out[e].to == to) {
            node->out[e].flow = flow;
            return;
        }
    node->out = memory_grow(node->out, &node->capacity, node->outs + 1, sizeof *node->out);
    node->out[node->outs++] = (struct nnc_edge){to, flow};
}

/* Tensor A is in buffer GROUP now, at OFFSET.  */
static void assign(struct nnc *nnc, size_t a, size_t group, int64_t offset)
{
    nnc->node[a].group = group;
    nnc->node[a].offset = offset;
    nnc->inserted++;
    for (size_t i = 0; i < nnc->instance->n; i++)
        if (nnc->node[i].group == NNC_NOBODY && interfere(nnc, a, i))
            nnc->node[i].interferes--;
}

/* The tensors of a tuple between FROM and TO, which have BASE bytes before them.  */
static void connect(struct nnc *nnc, const struct nnc_candidate *candidate, size_t from, size_t to,
                    int64_t base)
{
    size_t first = candidate->first, last = candidate->last;
    int64_t size = nnc->node[first].size, other = nnc->node[last].size;

    set_flow(nnc, from, first, (struct nnc_flow){size, base});
    for (; nnc->node[first].next != NNC_NOBODY; first = nnc->node[first].next)
        set_flow(nnc, first, nnc->node[first].next, (struct nnc_flow){size, base});
    if (first == last) {
        set_flow(nnc, first, to, (struct nnc_flow){size, base});
        return;
    }
    set_flow(nnc, first, last, (struct nnc_flow){min64(size, other), base});
    if (other > size)
        set_flow(nnc, from, last, (struct nnc_flow){other - size, base + size});
    else if (size > other)
        set_flow(nnc, first, to, (struct nnc_flow){size - other, base + other});
    set_flow(nnc, last, to, (struct nnc_flow){other, base});
}

/* A new buffer may have room for tensors that found none.  */
static void retry_smaller(struct nnc *nnc, const struct nnc_candidate *candidate)
{
    for (size_t i = 0; i < nnc->instance->n; i++) {
        struct nnc_node *node = &nnc->node[i];

        if (node->group == NNC_NOBODY && node->size <= candidate->size && node->no_place &&
            (hops_after(nnc->hops, candidate->first, with_companions(nnc, i).last) > 0 ||
             hops_after(nnc->hops, i, candidate->last) > 0))
            node->no_place = false;
    }
}

static void insert(struct nnc *nnc, const struct nnc_candidate *candidate, struct nnc_place place)
{
    bool fresh = place.from == NNC_NOBODY;
    size_t from = fresh ? NNC_SOURCE : place.from, to = fresh ? NNC_SINK : place.to, group;

    if (fresh) {
        group = nnc->groups++;
    } else {
        group = nnc->node[from == NNC_SOURCE ? to : from].group;
        set_flow(nnc, from, to,
                 (struct nnc_flow){place.flow.bytes - candidate->size,
                                   place.flow.offset + candidate->size});
    }
    for (size_t i = candidate->first; i != candidate->last && i != NNC_NOBODY;
         i = nnc->node[i].next)
        assign(nnc, i, group, place.flow.offset);
    assign(nnc, candidate->last, group, place.flow.offset);
    connect(nnc, candidate, from, to, place.flow.offset);
    if (fresh)
        retry_smaller(nnc, candidate);
}

/* Inserts the next tensor or tuple.  */
static void step(struct nnc *nnc, enum rule rule, struct candidates *list)
{
    struct nnc_place place = {NNC_NOBODY, NNC_NOBODY, UINT64_MAX, {0, 0}};
    size_t taken = 0;

    list->count = 0;
    add_singles(nnc, rule, list);
    if (rule == RULE_TUPLES)
        add_tuples(nnc, list);
    qsort(list->item, list->count, sizeof *list->item, compare_candidates);
    for (size_t i = 0; i < list->count && place.from == NNC_NOBODY; i++) {
        bool *no_place = &nnc->node[list->item[i].first].no_place;

        if (rule == RULE_SIZE && *no_place)
            continue;
        place = rule == RULE_SIZE ? nnc_find_place(nnc, &list->item[i])
                                  : nnc_find_first_place(nnc, &list->item[i]);
        if (place.from != NNC_NOBODY)
            taken = i;
        else
            *no_place = true;
    }
    insert(nnc, &list->item[taken], place);
}

/* --- the solver --- */

static bool has_stretches(const struct instance *instance, const struct buffer *buffer)
{
    const struct piece *piece = &instance->piece[buffer->first_piece];

    for (size_t i = 0; i < buffer->pieces; i++)
        if (piece[i].lo != 0 || piece[i].hi != buffer->size ||
            (i > 0 && piece[i].begin < piece[i - 1].end))
            return false;
    return buffer->pieces > 1;
}

/* The instance in which each buffer whose pieces are stretches of all of it, one after the
 * other, is a buffer a stretch, and every other one its bounding rectangle.  Those of one
 * buffer follow one another in time; TENSOR[b] is the first of buffer b.  NULL where the sizes
 * add up to too much.  */
static struct instance *cut_stretches(const struct instance *instance, size_t *tensor)
{
    struct instance *cut = instance_new(instance->name);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        const struct piece whole = {buffer->begin, buffer->end, 0, buffer->size, true};
        bool stretches = has_stretches(instance, buffer);
        const struct piece *piece = stretches ? &instance->piece[buffer->first_piece] : &whole;

        tensor[b] = cut->n;
        for (size_t i = 0; i < (stretches ? buffer->pieces : 1); i++) {
            char *id = memory_printf("%zu.%zu", b, i);

            instance_add(cut, id, piece[i].begin, piece[i].end, buffer->size, buffer->alignment);
            free(id);
        }
    }
    if (instance_seal(cut, NULL, NULL))
        return cut;
    instance_free(cut);
    return NULL;
}

/* Cuts buffers into stretches, unless there is nothing to cut.  */
static void find_tensors(struct nnc *nnc, const struct instance *instance, bool by_graph)
{
    nnc->instance = instance;
    nnc->tensor = memory_alloc(instance->n, sizeof *nnc->tensor);
    if (!by_graph && instance->shapes)
        nnc->stretches = cut_stretches(instance, nnc->tensor);
    if (nnc->stretches != NULL)
        nnc->instance = nnc->stretches;
    for (size_t b = 0; nnc->stretches == NULL && b < instance->n; b++)
        nnc->tensor[b] = b;
}

static void begin(struct nnc *nnc, const struct instance *instance, bool by_graph)
{
    size_t n;

    *nnc = (struct nnc){.groups = 0};
    find_tensors(nnc, instance, by_graph);
    n = nnc->instance->n;
    nnc->hops = hops_new(nnc->instance, by_graph);
    nnc->node = memory_zalloc(n, sizeof *nnc->node);
    nnc->before = memory_alloc(n, sizeof *nnc->before);
    nnc->after = memory_alloc(n, sizeof *nnc->after);
    nnc->reach = memory_zalloc(n, sizeof *nnc->reach);
    nnc->far = (uint64_t)hops_limit(nnc->hops);
    for (size_t i = 0; i < n; i++) {
        nnc->node[i].size = align_up(nnc->instance->buffer[i].size, instance->max_alignment);
        nnc->node[i].group = NNC_NOBODY;
        nnc->node[i].next = NNC_NOBODY;
        for (size_t k = 0; k < i; k++)
            if (interfere(nnc, i, k)) {
                nnc->node[i].interferes++;
                nnc->node[k].interferes++;
            }
    }
    for (size_t b = 0; b < instance->n; b++)
        for (size_t i = nnc->tensor[b] + 1; i < (b + 1 < instance->n ? nnc->tensor[b + 1] : n);
             i++) {
            nnc->node[i - 1].next = i;
            nnc->node[i].follows = true;
        }
}

static void clear(struct nnc *nnc)
{
    for (size_t i = 0; i < nnc->instance->n; i++)
        free(nnc->node[i].out);
    hops_free(nnc->hops);
    instance_free(nnc->stretches);
    free(nnc->tensor);
    free(nnc->node);
    free(nnc->before);
    free(nnc->after);
    free(nnc->reach);
}

/* The buffers one on top of the other; each is as large as the tensor that
 * began it.  */
static void write_plan(const struct nnc *nnc, const struct instance *instance, bool separate,
                       struct plan *plan)
{
    int64_t *size = memory_zalloc(nnc->groups + 1, sizeof *size), base = 0;

    for (size_t i = 0; i < nnc->instance->n; i++) {
        const struct nnc_node *node = &nnc->node[i];

        size[node->group] = max64(size[node->group], node->offset + node->size);
    }
    plan->layout = LAYOUT_ARENA;
    if (separate) {
        plan_use_objects(plan, LAYOUT_SEPARATE);
        plan->objects = nnc->groups;
        for (size_t g = 0; g < nnc->groups; g++)
            plan->object_size[g] = size[g];
        for (size_t b = 0; b < instance->n; b++)
            plan->object[b] = nnc->node[nnc->tensor[b]].group;
    }
    for (size_t g = 0; g < nnc->groups; g++) {
        int64_t start = base;

        base += size[g];
        size[g] = start;
    }
    for (size_t b = 0; b < instance->n; b++) {
        const struct nnc_node *node = &nnc->node[nnc->tensor[b]];

        plan->offset[b] = size[node->group] + node->offset;
    }
    plan->peak = plan_peak(instance, plan);
    free(size);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct candidates list = {NULL, 0, 0};
    enum rule rule = params_choice(env->params, "rule");
    struct nnc nnc;

    begin(&nnc, instance, params_choice(env->params, "order") == ORDER_GRAPH);
    while (nnc.inserted < nnc.instance->n)
        step(&nnc, rule, &list);
    write_plan(&nnc, instance, params_choice(env->params, "as") == AS_SEPARATE, plan);
    clear(&nnc);
    free(list.item);
    return OUTCOME_FEASIBLE;
}

static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    if (params_choice(params, "order") == ORDER_GRAPH && instance->origin == NULL)
        return error_set(reason, instance->loops != NULL
                                     ? "order=graph does not see that loops come around; "
                                       "nnc:order=steps takes networks with loops"
                                     : "order=graph needs a network; order=steps does not");
    return alignment_serves_all(instance, reason);
}

const struct solver solver_nnc = {
    .name = "nnc",
    .title = "NNC",
    .source = "Liu Liu, The NNC tensor allocation algorithm; ccv, lib/nnc",
    .kind = SOLVER_HEURISTIC,
    /* Most buffers of several pieces are bounding rectangles here too, but order=graph
     * needs the origin, which the harness's own joined instance has not.  */
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES | SOLVER_SHIPPED,
    .layout = LAYOUT_SEPARATE,
    .native = {.size = 64}, /* on a processor; 128 on CUDA, a page on Metal */
    .params = nnc_params,
    .applicable = applicable,
    .solve = solve,
};
