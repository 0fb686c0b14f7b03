/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/conflict_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/sets.h"
#include "lib/problem/instance.h"

/* --- nodes and groups --- */

static void number_nodes(struct conflict_graph *graph)
{
    const size_t n = graph->n;
    struct order_key *key = memory_alloc(n, sizeof *key);

    graph->node_of = memory_alloc(n, sizeof *graph->node_of);
    graph->buffer_of = memory_alloc(n, sizeof *graph->buffer_of);
    for (size_t b = 0; b < n; b++)
        key[b] = (struct order_key){key_descending(graph->instance->buffer[b].size), 0, b};
    order_sort(key, n);
    for (size_t node = 0; node < n; node++) {
        graph->buffer_of[node] = key[node].index;
        graph->node_of[key[node].index] = node;
    }
    memory_free(key);
}

static const char *id_of(const struct conflict_graph *graph, size_t buffer)
{
    return graph->instance->buffer[buffer].id;
}

/* The first buffer of each group.  */
static void find_groups(struct conflict_graph *graph, const struct conflict_pair *pair,
                        size_t count)
{
    size_t *root = memory_alloc(graph->n, sizeof *root);

    for (size_t b = 0; b < graph->n; b++)
        root[b] = b;
    for (size_t i = 0; i < count; i++) {
        size_t a = sets_root(root, pair[i].a), b = sets_root(root, pair[i].b);

        if (pair[i].kind == CONFLICT_TOGETHER)
            *(a < b ? &root[b] : &root[a]) = a < b ? a : b;
    }
    graph->group = memory_alloc(graph->n, sizeof *graph->group);
    for (size_t b = 0; b < graph->n; b++)
        graph->group[graph->node_of[b]] = sets_root(root, b);
    memory_free(root);
}

static bool same_group(const struct conflict_graph *graph, size_t a, size_t b)
{
    return graph->group[graph->node_of[a]] == graph->group[graph->node_of[b]];
}

/* --- the axis --- */

static void find_axis(struct conflict_graph *graph)
{
    const struct instance *instance = graph->instance;
    int64_t end = INT64_MIN;

    graph->step = memory_alloc(instance->pieces + 1, sizeof *graph->step);
    for (size_t p = 0; p < instance->pieces; p++) {
        graph->step[p] = instance->piece[p].begin;
        end = max64(end, instance->piece[p].end);
    }
    qsort(graph->step, instance->pieces, sizeof *graph->step, compare64);
    graph->steps = 0;
    for (size_t p = 0; p < instance->pieces; p++)
        if (graph->steps == 0 || graph->step[p] != graph->step[graph->steps - 1])
            graph->step[graph->steps++] = graph->step[p];
    graph->step[graph->steps] = end;
}

void conflict_alive(const struct conflict_graph *graph, size_t step, uint64_t *alive)
{
    const struct instance *instance = graph->instance;
    const int64_t time = graph->step[step];

    memset(alive, 0, graph->words * sizeof *alive);
    for (size_t b = 0; b < graph->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        const struct piece *piece = &instance->piece[buffer->first_piece];

        if (buffer->begin > time || buffer->end <= time)
            continue;
        for (size_t i = 0; i < buffer->pieces; i++)
            if (piece[i].begin <= time && time < piece[i].end) {
                alive[graph->node_of[b] / 64] |= UINT64_C(1) << graph->node_of[b] % 64;
                break;
            }
    }
}

/* --- the matrix --- */

size_t conflict_next(const struct conflict_graph *graph, const uint64_t *set, size_t from)
{
    size_t word = from / 64;
    uint64_t left;

    if (word >= graph->words)
        return SIZE_MAX;
    left = set[word] & ~UINT64_C(0) << from % 64;
    while (left == 0)
        if (++word == graph->words)
            return SIZE_MAX;
        else
            left = set[word];
    return 64 * word + (size_t)__builtin_ctzll(left);
}

static void set_both(const struct conflict_graph *graph, uint64_t *matrix, size_t a, size_t b,
                     bool value)
{
    uint64_t *x = &conflict_row(graph, matrix, a)[b / 64];
    uint64_t *y = &conflict_row(graph, matrix, b)[a / 64];

    *x = (*x & ~(UINT64_C(1) << b % 64)) | (uint64_t)value << b % 64;
    *y = (*y & ~(UINT64_C(1) << a % 64)) | (uint64_t)value << a % 64;
}

static bool conflicts(const struct conflict_graph *graph, size_t a, size_t b)
{
    return conflict_bit(conflict_row(graph, graph->row, a), b);
}

/* Those that live together, but for those that are together.  */
static void add_lifetimes(struct conflict_graph *graph)
{
    uint64_t *alive = memory_alloc(graph->words, sizeof *alive);

    for (size_t s = 0; s < graph->steps; s++) {
        conflict_alive(graph, s, alive);
        for (size_t a = conflict_next(graph, alive, 0); a != SIZE_MAX;
             a = conflict_next(graph, alive, a + 1))
            for (size_t w = 0; w < graph->words; w++)
                conflict_row(graph, graph->row, a)[w] |= alive[w];
    }
    for (size_t a = 0; a < graph->n; a++)
        for (size_t b = a; b < graph->n; b++)
            if (graph->group[a] == graph->group[b])
                set_both(graph, graph->row, a, b, false);
    memory_free(alive);
}

/* --- pairs --- */

static bool contradiction(const struct conflict_graph *graph, const struct conflict_pair *pair,
                          const char *what, struct error *error)
{
    return error_set(error, "buffers '%s' and '%s' are %s", id_of(graph, pair->a),
                     id_of(graph, pair->b), what);
}

static bool check_pair(const struct conflict_graph *graph, const struct conflict_pair *pair,
                       struct error *error)
{
    if (pair->a == pair->b)
        return error_set(error, "buffer '%s' is %s with itself; expected two buffers",
                         id_of(graph, pair->a), conflict_kind_name(pair->kind));
    if (pair->kind == CONFLICT_APART && same_group(graph, pair->a, pair->b))
        return contradiction(graph, pair, "apart, and together", error);
    return true;
}

/* B, or what is together with it, is fixed by OTHER.  */
static bool fits_fixed(const struct buffer *b, const struct buffer *other, struct error *error)
{
    if (b->fixed >= 0 && b->fixed != other->fixed)
        return error_set(error, "buffers '%s' and '%s' are together, but fixed at two offsets",
                         other->id, b->id);
    if (other->fixed % b->alignment != 0)
        return error_set(error,
                         "buffers '%s' and '%s' are together, but '%s' is fixed at %" PRId64
                         ", which is no multiple of %" PRId64,
                         other->id, b->id, other->id, other->fixed, b->alignment);
    return true;
}

/* Fixed buffers that are together with others have offsets that fit all of these.  */
static bool check_fixed(const struct conflict_graph *graph, struct error *error)
{
    const struct buffer *buffer = graph->instance->buffer;
    size_t *fixed = memory_alloc(graph->n, sizeof *fixed);
    bool good = true;

    for (size_t b = 0; b < graph->n; b++)
        fixed[b] = SIZE_MAX;
    for (size_t b = 0; b < graph->n; b++)
        if (buffer[b].fixed >= 0 && fixed[graph->group[graph->node_of[b]]] == SIZE_MAX)
            fixed[graph->group[graph->node_of[b]]] = b;
    for (size_t b = 0; b < graph->n && good; b++) {
        const size_t other = fixed[graph->group[graph->node_of[b]]];

        good = other == SIZE_MAX || fits_fixed(&buffer[b], &buffer[other], error);
    }
    memory_free(fixed);
    return good;
}

/* Takes in what is apart as open, and takes what is exclusive out of the row.  */
static bool add_pairs(struct conflict_graph *graph, const struct conflict_pair *pair, size_t count,
                      struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!check_pair(graph, &pair[i], error))
            return false;
        if (pair[i].kind == CONFLICT_APART)
            set_both(graph, graph->open, graph->node_of[pair[i].a], graph->node_of[pair[i].b],
                     true);
    }
    for (size_t i = 0; i < count; i++) {
        size_t a = graph->node_of[pair[i].a], b = graph->node_of[pair[i].b];

        if (pair[i].kind != CONFLICT_EXCLUSIVE)
            continue;
        if (conflict_bit(conflict_row(graph, graph->open, a), b))
            return contradiction(graph, &pair[i], "exclusive, and apart", error);
        graph->exclusive |= conflict_bit(conflict_row(graph, graph->row, a), b);
        set_both(graph, graph->row, a, b, false);
    }
    return true;
}

/* With exclusive pairs no step of the clock is sure to stay whole, so that all is open; else what
 * is apart and meets at none.  */
static void find_open(struct conflict_graph *graph)
{
    for (size_t w = 0; w < graph->n * graph->words; w++) {
        uint64_t apart = graph->open[w] & ~graph->row[w];

        graph->row[w] |= apart;
        graph->open[w] = graph->exclusive ? graph->row[w] : apart;
    }
}

bool conflict_graph_init(struct conflict_graph *graph, const struct instance *plain,
                         const struct conflict_pair *pair, size_t count, struct error *error)
{
    *graph =
        (struct conflict_graph){.instance = plain, .n = plain->n, .words = (plain->n + 63) / 64};
    if (plain->n > CONFLICTS_MOST_BUFFERS)
        return error_set(error, "pairs among %zu buffers; expected at most %d buffers", plain->n,
                         CONFLICTS_MOST_BUFFERS);
    graph->row = memory_zalloc(graph->n * graph->words, sizeof *graph->row);
    graph->open = memory_zalloc(graph->n * graph->words, sizeof *graph->open);
    number_nodes(graph);
    find_groups(graph, pair, count);
    find_axis(graph);
    add_lifetimes(graph);
    if (!check_fixed(graph, error) || !add_pairs(graph, pair, count, error)) {
        conflict_graph_clear(graph);
        return false;
    }
    find_open(graph);
    return true;
}

void conflict_graph_clear(struct conflict_graph *graph)
{
    memory_free(graph->node_of);
    memory_free(graph->buffer_of);
    memory_free(graph->group);
    memory_free(graph->row);
    memory_free(graph->open);
    memory_free(graph->step);
}

/* --- cliques --- */

static void close_all(struct conflict_graph *graph, const size_t *member, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            set_both(graph, graph->open, member[i], member[k], false);
}

void conflict_keep(struct conflict_graph *graph, uint64_t *alive)
{
    size_t *member = memory_alloc(graph->n, sizeof *member), count = 0;

    for (size_t a = conflict_next(graph, alive, 0); a != SIZE_MAX;
         a = conflict_next(graph, alive, a + 1)) {
        bool stays = true;

        for (size_t i = 0; i < count && stays; i++)
            stays = conflicts(graph, a, member[i]) || graph->group[a] == graph->group[member[i]];
        if (stays)
            member[count++] = a;
        else
            alive[a / 64] &= ~(UINT64_C(1) << a % 64);
    }
    close_all(graph, member, count);
    memory_free(member);
}

/* The largest node of LEFT that has an open conflict with a member; else, with ANY, the largest of
 * all.  */
static size_t choose(const struct conflict_graph *graph, const uint64_t *left,
                     const uint64_t *wanted, bool any)
{
    for (size_t w = 0; w < graph->words && !any; w++)
        if ((left[w] & wanted[w]) != 0)
            return 64 * w + (size_t)__builtin_ctzll(left[w] & wanted[w]);
    return any ? conflict_next(graph, left, 0) : SIZE_MAX;
}

static int64_t bytes_of(const struct conflict_graph *graph, const size_t *member, size_t count)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += graph->instance->buffer[graph->buffer_of[member[i]]].size;
    return bytes;
}

/* Takes NODE in: LEFT keeps what conflicts with it, WANTED gains what it has open.  */
static void take_in(const struct conflict_graph *graph, size_t node, uint64_t *left,
                    uint64_t *wanted)
{
    for (size_t w = 0; w < graph->words; w++) {
        left[w] &= conflict_row(graph, graph->row, node)[w];
        wanted[w] |= conflict_row(graph, graph->open, node)[w];
    }
}

size_t conflict_clique(struct conflict_graph *graph, size_t *member, int64_t *most)
{
    uint64_t *left = memory_alloc(2 * graph->words, sizeof *left), *wanted = left + graph->words;
    size_t node = 0, count = 0, needed;

    while (node < graph->n &&
           conflict_next(graph, conflict_row(graph, graph->open, node), 0) == SIZE_MAX)
        node++;
    if (node < graph->n) {
        memset(left, 0xff, graph->words * sizeof *left);
        memset(wanted, 0, graph->words * sizeof *wanted);
        for (; node != SIZE_MAX; node = choose(graph, left, wanted, false)) {
            take_in(graph, node, left, wanted);
            member[count++] = node;
        }
        needed = count;
        while ((node = choose(graph, left, wanted, true)) != SIZE_MAX) {
            take_in(graph, node, left, wanted);
            member[count++] = node;
        }
        if (bytes_of(graph, member, count) <= *most)
            count = needed;
        *most = max64(*most, bytes_of(graph, member, count));
        close_all(graph, member, count);
    }
    memory_free(left);
    return count;
}
