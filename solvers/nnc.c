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
#include "solvers/fit/stretches.h"
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

#define SOURCE SIZE_MAX
#define SINK (SIZE_MAX - 1)
#define NOBODY (SIZE_MAX - 2)

/* Bytes from OFFSET on, within one buffer.  */
struct flow {
    int64_t bytes, offset;
};

struct edge {
    size_t to;
    struct flow flow;
};

struct node {
    int64_t size;
    size_t group; /* its buffer, from 0; NOBODY: not inserted */
    int64_t offset;
    size_t interferes; /* with how many that are not inserted */
    bool no_place;     /* no edge was found since the last new buffer that matters */
    size_t next;       /* companion that is in use next; NOBODY: none */
    bool follows;      /* it is the next one of another */
    struct flow from_source, to_sink;
    struct edge *out; /* to other nodes */
    size_t outs, capacity;
};

struct nnc {
    const struct instance *instance; /* whose buffers are the tensors */
    struct instance *stretches;      /* made for that, or NULL */
    size_t *tensor;                  /* of each buffer of the problem: its first tensor */
    struct hops *hops;
    uint64_t far; /* to the source, to the sink: more than any distance */
    struct node *node;
    size_t inserted, groups;
    struct neighbour *before, *after; /* scratch */
    struct flow *reach;               /* scratch: the flow to each node */
};

/* What is inserted together: one tensor, two in order of time, or companions, of which
 * these are the first and the last.  */
struct candidate {
    size_t first, last; /* equal: one */
    int64_t size;       /* of the larger one */
    size_t interferes;  /* sum */
    size_t single;      /* the one that was there first; the other one joined it */
};

/* An edge of the flow and how many operators it bridges.  */
struct place {
    size_t from, to; /* NOBODY: none */
    uint64_t distance;
    struct flow flow;
};

struct neighbour {
    size_t node;
    uint64_t distance;
};

static bool interfere(const struct nnc *nnc, size_t a, size_t b)
{
    return hops_after(nnc->hops, a, b) == 0 && hops_after(nnc->hops, b, a) == 0;
}

/* --- candidates --- */

static bool is_tuple(const struct candidate *candidate)
{
    return candidate->first != candidate->last;
}

/* The one of a tuple that joined the single one.  */
static size_t joined(const struct candidate *candidate)
{
    return candidate->first != candidate->single ? candidate->first : candidate->last;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

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
    struct candidate *item;
    size_t count, capacity;
};

static void add_candidate(struct candidates *list, struct candidate candidate)
{
    list->item = memory_grow(list->item, &list->capacity, list->count + 1, sizeof *list->item);
    list->item[list->count++] = candidate;
}

/* Tensor I, which follows no other, and its companions.  */
static struct candidate with_companions(const struct nnc *nnc, size_t i)
{
    struct candidate candidate = {i, i, nnc->node[i].size, nnc->node[i].interferes, i};

    while (nnc->node[candidate.last].next != NOBODY) {
        candidate.last = nnc->node[candidate.last].next;
        candidate.interferes += nnc->node[candidate.last].interferes;
    }
    return candidate;
}

static bool has_companions(const struct node *node)
{
    return node->follows || node->next != NOBODY;
}

/* The tensors left of the largest size, or with most interferences.  By interferences a
 * larger one clears the list of what came before it, and a smaller one that comes after it
 * is added.  */
static void add_singles(const struct nnc *nnc, enum rule rule, struct candidates *list)
{
    uint64_t best = 0;
    int64_t largest = 0;

    for (size_t i = 0; i < nnc->instance->n; i++) {
        const struct node *node = &nnc->node[i];
        struct candidate candidate;
        uint64_t key;

        if (node->group != NOBODY || node->follows)
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
            const struct node *other = &nnc->node[k];
            struct candidate tuple = {i, k, other->size,
                                      list->item[s].interferes + other->interferes, i};

            if (other->group != NOBODY || has_companions(other) ||
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

/* --- places --- */

static int compare_neighbours(const void *a, const void *b)
{
    const struct neighbour *x = a, *y = b;

    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* The inserted tensors of SIZE or more that are dead before tensor A is born
 * (BEFORE) or born after it is dead, nearest first.  */
static size_t find_neighbours(const struct nnc *nnc, size_t a, int64_t size, bool before,
                              struct neighbour *neighbour)
{
    size_t count = 0;

    for (size_t i = 0; i < nnc->instance->n; i++) {
        int64_t distance;

        if (nnc->node[i].group == NOBODY || nnc->node[i].size < size)
            continue;
        distance = before ? hops_after(nnc->hops, a, i) : hops_after(nnc->hops, i, a);
        if (distance > 0)
            neighbour[count++] = (struct neighbour){i, (uint64_t)distance};
    }
    qsort(neighbour, count, sizeof *neighbour, compare_neighbours);
    return count;
}

static void offer(struct place *place, size_t from, size_t to, uint64_t distance, struct flow flow)
{
    if (distance < place->distance)
        *place = (struct place){from, to, distance, flow};
}

/* Edges from one of BEFORE to one of AFTER; from a node in BEFORE the first that
 * is wide enough is the nearest.  */
static void find_between(struct nnc *nnc, size_t befores, size_t afters, int64_t size,
                         struct place *place)
{
    for (size_t y = 0; y < befores && afters > 0; y++) {
        const struct node *node = &nnc->node[nnc->before[y].node];

        if (nnc->before[y].distance + nnc->after[0].distance >= place->distance)
            break;
        for (size_t e = 0; e < node->outs; e++)
            nnc->reach[node->out[e].to] = node->out[e].flow;
        for (size_t x = 0; x < afters; x++)
            if (nnc->reach[nnc->after[x].node].bytes >= size) {
                offer(place, nnc->before[y].node, nnc->after[x].node,
                      nnc->before[y].distance + nnc->after[x].distance,
                      nnc->reach[nnc->after[x].node]);
                break;
            }
        for (size_t e = 0; e < node->outs; e++)
            nnc->reach[node->out[e].to] = (struct flow){0, 0};
    }
}

static struct place find_place(struct nnc *nnc, const struct candidate *candidate)
{
    struct place place = {NOBODY, NOBODY, UINT64_MAX, {0, 0}};
    int64_t size = candidate->size;
    size_t befores = find_neighbours(nnc, candidate->first, size, true, nnc->before);
    size_t afters = find_neighbours(nnc, candidate->last, size, false, nnc->after);

    for (size_t y = 0; y < befores; y++)
        if (nnc->node[nnc->before[y].node].to_sink.bytes >= size) {
            offer(&place, nnc->before[y].node, SINK, nnc->far + nnc->before[y].distance,
                  nnc->node[nnc->before[y].node].to_sink);
            break;
        }
    for (size_t x = 0; x < afters; x++)
        if (nnc->node[nnc->after[x].node].from_source.bytes >= size) {
            offer(&place, SOURCE, nnc->after[x].node, nnc->far + nnc->after[x].distance,
                  nnc->node[nnc->after[x].node].from_source);
            break;
        }
    find_between(nnc, befores, afters, size, &place);
    return place;
}

/* An edge that is wide enough, and that CANDIDATE can lie on.  */
static void offer_edge(const struct nnc *nnc, const struct candidate *candidate,
                       struct place *place, size_t from, size_t to, struct flow flow)
{
    int64_t before =
        from == SOURCE ? (int64_t)nnc->far : hops_after(nnc->hops, candidate->first, from);
    int64_t after = to == SINK ? (int64_t)nnc->far : hops_after(nnc->hops, to, candidate->last);
    uint64_t distance = (uint64_t)before + (uint64_t)after;

    if (flow.bytes < candidate->size || before <= 0 || after <= 0)
        return;
    if (distance == place->distance && from == place->from && to < place->to)
        *place = (struct place){from, to, distance, flow};
    else
        offer(place, from, to, distance, flow);
}

/* The same among all edges, of which the first of equal distances counts: by node that it
 * leaves, the source first, then by node that it reaches.  */
static struct place find_first_place(const struct nnc *nnc, const struct candidate *candidate)
{
    struct place place = {NOBODY, NOBODY, UINT64_MAX, {0, 0}};

    for (size_t i = 0; i < nnc->instance->n; i++)
        if (nnc->node[i].group != NOBODY)
            offer_edge(nnc, candidate, &place, SOURCE, i, nnc->node[i].from_source);
    for (size_t i = 0; i < nnc->instance->n; i++) {
        if (nnc->node[i].group == NOBODY)
            continue;
        for (size_t e = 0; e < nnc->node[i].outs; e++)
            offer_edge(nnc, candidate, &place, i, nnc->node[i].out[e].to, nnc->node[i].out[e].flow);
        offer_edge(nnc, candidate, &place, i, SINK, nnc->node[i].to_sink);
    }
    return place;
}

/* --- insertion --- */

static void set_flow(struct nnc *nnc, size_t from, size_t to, struct flow flow)
{
    struct node *node;

    if (from == SOURCE) {
        nnc->node[to].from_source = flow;
        return;
    }
    node = &nnc->node[from];
    if (to == SINK) {
        node->to_sink = flow;
        return;
    }
    for (size_t e = 0; e < node->outs; e++)
        if (node->out[e].to == to) {
            node->out[e].flow = flow;
            return;
        }
    node->out = memory_grow(node->out, &node->capacity, node->outs + 1, sizeof *node->out);
    node->out[node->outs++] = (struct edge){to, flow};
}

/* Tensor A is in buffer GROUP now, at OFFSET.  */
static void assign(struct nnc *nnc, size_t a, size_t group, int64_t offset)
{
    nnc->node[a].group = group;
    nnc->node[a].offset = offset;
    nnc->inserted++;
    for (size_t i = 0; i < nnc->instance->n; i++)
        if (nnc->node[i].group == NOBODY && interfere(nnc, a, i))
            nnc->node[i].interferes--;
}

/* The tensors of a tuple between FROM and TO, which have BASE bytes before them.  */
static void connect(struct nnc *nnc, const struct candidate *candidate, size_t from, size_t to,
                    int64_t base)
{
    size_t first = candidate->first, last = candidate->last;
    int64_t size = nnc->node[first].size, other = nnc->node[last].size;

    set_flow(nnc, from, first, (struct flow){size, base});
    for (; nnc->node[first].next != NOBODY; first = nnc->node[first].next)
        set_flow(nnc, first, nnc->node[first].next, (struct flow){size, base});
    if (first == last) {
        set_flow(nnc, first, to, (struct flow){size, base});
        return;
    }
    set_flow(nnc, first, last, (struct flow){min64(size, other), base});
    if (other > size)
        set_flow(nnc, from, last, (struct flow){other - size, base + size});
    else if (size > other)
        set_flow(nnc, first, to, (struct flow){size - other, base + other});
    set_flow(nnc, last, to, (struct flow){other, base});
}

/* A new buffer may have room for tensors that found none.  */
static void retry_smaller(struct nnc *nnc, const struct candidate *candidate)
{
    for (size_t i = 0; i < nnc->instance->n; i++) {
        struct node *node = &nnc->node[i];

        if (node->group == NOBODY && node->size <= candidate->size && node->no_place &&
            (hops_after(nnc->hops, candidate->first, with_companions(nnc, i).last) > 0 ||
             hops_after(nnc->hops, i, candidate->last) > 0))
            node->no_place = false;
    }
}

static void insert(struct nnc *nnc, const struct candidate *candidate, struct place place)
{
    bool fresh = place.from == NOBODY;
    size_t from = fresh ? SOURCE : place.from, to = fresh ? SINK : place.to, group;

    if (fresh) {
        group = nnc->groups++;
    } else {
        group = nnc->node[from == SOURCE ? to : from].group;
        set_flow(
            nnc, from, to,
            (struct flow){place.flow.bytes - candidate->size, place.flow.offset + candidate->size});
    }
    for (size_t i = candidate->first; i != candidate->last && i != NOBODY; i = nnc->node[i].next)
        assign(nnc, i, group, place.flow.offset);
    assign(nnc, candidate->last, group, place.flow.offset);
    connect(nnc, candidate, from, to, place.flow.offset);
    if (fresh)
        retry_smaller(nnc, candidate);
}

/* Inserts the next tensor or tuple.  */
static void step(struct nnc *nnc, enum rule rule, struct candidates *list)
{
    struct place place = {NOBODY, NOBODY, UINT64_MAX, {0, 0}};
    size_t taken = 0;

    list->count = 0;
    add_singles(nnc, rule, list);
    if (rule == RULE_TUPLES)
        add_tuples(nnc, list);
    qsort(list->item, list->count, sizeof *list->item, compare_candidates);
    for (size_t i = 0; i < list->count && place.from == NOBODY; i++) {
        bool *no_place = &nnc->node[list->item[i].first].no_place;

        if (rule == RULE_SIZE && *no_place)
            continue;
        place = rule == RULE_SIZE ? find_place(nnc, &list->item[i])
                                  : find_first_place(nnc, &list->item[i]);
        if (place.from != NOBODY)
            taken = i;
        else
            *no_place = true;
    }
    insert(nnc, &list->item[taken], place);
}

/* --- the solver --- */

/* Cuts buffers into stretches, unless there is nothing to cut.  */
static void find_tensors(struct nnc *nnc, const struct instance *instance, bool by_graph)
{
    nnc->instance = instance;
    nnc->tensor = memory_alloc(instance->n, sizeof *nnc->tensor);
    if (!by_graph && instance->shapes)
        nnc->stretches = stretches_cut(instance, nnc->tensor);
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
        nnc->node[i].group = NOBODY;
        nnc->node[i].next = NOBODY;
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
        const struct node *node = &nnc->node[i];

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
        const struct node *node = &nnc->node[nnc->tensor[b]];

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
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES,
    .layout = LAYOUT_SEPARATE,
    .params = nnc_params,
    .applicable = applicable,
    .solve = solve,
};
