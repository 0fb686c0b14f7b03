/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/inplace_rules.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/overwrite.h"

/* --- what may be overwritten --- */

/* Whether inputs I and J of OP share bytes in a way that makes it unsafe to
 * write over I: element by element only the very same bytes are safe, and only
 * where the operator may overwrite both in the same way.  */
static bool in_the_way(const struct places *places, const struct network *network,
                       const struct network_op *op, const struct op_reuse *reuse, size_t other)
{
    size_t x = op->input[reuse->input], y = op->input[other];
    int64_t x_low = places->offset[x], y_low = places->offset[y];
    int64_t x_high = x_low + value_bytes(&network->value[x]);
    int64_t y_high = y_low + value_bytes(&network->value[y]);

    if (places->chunk_of[x] != places->chunk_of[y] || x_high <= y_low || y_high <= x_low)
        return false;
    if (x_low != y_low || x_high != y_high)
        return true;
    for (size_t i = 0; i < op->reuses; i++)
        if (op->reuse[i].kind == REUSE_OVERWRITE && op->reuse[i].input == other &&
            op->reuse[i].output == reuse->output && op->reuse[i].offset == reuse->offset)
            return false;
    return true;
}

/* Whether, at the last step of chunk C, another operator than OP reads one of
 * its values, or one of them is made.  */
static bool used_beside(const struct places *places, const struct network *network,
                        const struct schedule *schedule, size_t c, size_t op)
{
    int64_t last = places->chunk[c].end - 1;

    for (size_t v = places->chunk[c].value; v != NETWORK_NONE; v = places->next[v]) {
        const struct value *value = &network->value[v];

        if (value->producer != NETWORK_NONE && schedule->step[value->producer] == last)
            return true;
        for (size_t i = 0; i < value->readers; i++)
            if (value->reader[i] != op && schedule->step[value->reader[i]] == last)
                return true;
    }
    return false;
}

/* What both rules ask of an overwrite that operator O allows by its fact REUSE.  */
static bool can_overwrite(const struct places *places, const struct network *network,
                          const struct schedule *schedule, size_t o, const struct op_reuse *reuse)
{
    const struct network_op *op = &network->op[o];
    size_t x = op->input[reuse->input], y = op->output[reuse->output];
    size_t dest = places->chunk_of[x], src = places->chunk_of[y];
    const struct chunk *from = &places->chunk[dest], *to = &places->chunk[src];

    if (reuse->kind != REUSE_OVERWRITE || src == dest || to->value != y)
        return false;
    if (!from->counts || !to->counts || from->size == 0 || to->size == 0)
        return false;
    if (from->roles.stored || from->roles.output)
        return false;
    if (to->size > from->size - places->offset[x] - reuse->offset || to->begin != from->end - 1)
        return false;
    for (size_t j = 0; j < op->inputs; j++)
        if (j != reuse->input && in_the_way(places, network, op, reuse, j))
            return false;
    return !used_beside(places, network, schedule, dest, o);
}

/* --- MegEngine --- */

/* Its batch normalisation forwards its running statistics only, which are stored and so
 * left alone here; its softmax forwards nothing.  */
static bool megengine_forwards(const struct network_op *op)
{
    return op->kind != OP_BATCH_NORM && op->kind != OP_SOFTMAX;
}

/* Whether it has the two inputs of OP in the order in which they were made, whatever the
 * file says: those of a mode that commutes (ADD, MUL, MAX, MIN, EQ) are sorted by their
 * number when the operator is made.  */
static bool megengine_sorts(const struct network_op *op)
{
    static const char *const modes[] = {"add", "add_n", "sum", "eltwise",
                                        "mul", "max",   "min", "equal"};

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(op->type, modes[i]) == 0)
            return op->kind == OP_ELEMENTWISE && op->inputs == 2 && op->reuses == 2;
    return false;
}

/* The number of the fact of OP that comes at place R.  */
static size_t nth_reuse(const struct network_op *op, size_t r)
{
    bool turned =
        megengine_sorts(op) && op->input[op->reuse[0].input] > op->input[op->reuse[1].input];

    return turned ? 1 - r : r;
}

/* The wishes of all operators, in the order in which they run.  */
static struct overwrite_wish *find_wishes(const struct places *places,
                                          const struct network *network,
                                          const struct schedule *schedule, size_t *count)
{
    struct overwrite_wish *wish = NULL;
    size_t capacity = 0, *order = schedule_sequence(schedule);

    *count = 0;
    for (size_t i = 0; i < network->n_ops; i++) {
        const struct network_op *op = &network->op[order[i]];

        for (size_t r = 0; r < op->reuses; r++) {
            const struct op_reuse *reuse = &op->reuse[nth_reuse(op, r)];
            size_t x;

            if (!megengine_forwards(op) ||
                !can_overwrite(places, network, schedule, order[i], reuse))
                continue;
            x = op->input[reuse->input];
            wish = memory_grow(wish, &capacity, *count + 1, sizeof *wish);
            wish[(*count)++] = (struct overwrite_wish){
                .src = places->chunk_of[op->output[reuse->output]],
                .dest = places->chunk_of[x],
                .offset = places->offset[x] + reuse->offset,
            };
        }
    }
    free(order);
    return wish;
}

void inplace_megengine(struct places *places, const struct network *network,
                       const struct schedule *schedule)
{
    struct overwrite_interval *interval = memory_alloc(places->n, sizeof *interval);
    size_t count;
    struct overwrite_wish *wish = find_wishes(places, network, schedule, &count);

    for (size_t c = 0; c < places->n; c++) {
        const struct chunk *chunk = &places->chunk[c];

        interval[c] = (struct overwrite_interval){chunk->begin, chunk->end, chunk->size,
                                                  SIZE_MAX,     0,          SIZE_MAX};
    }
    overwrite_choose(interval, wish, count);
    for (size_t c = 0; c < places->n; c++) {
        places->chunk[c].dest = interval[c].dest;
        places->chunk[c].src = interval[c].src;
        places->chunk[c].offset = interval[c].offset;
    }
    free(wish);
    free(interval);
}

/* --- NNC --- */

/* For the question which operators come before a given one in every order.  */
struct ancestry {
    const struct network *network;
    size_t *seen; /* stamp of the last search that reached an operator */
    size_t stamp;
    size_t *stack;
};

/* Whether every reader of VALUE is OP or comes before it, where SEEN has the
 * stamp on what does.  */
static bool read_before(const struct ancestry *ancestry, const struct value *value, size_t op)
{
    for (size_t i = 0; i < value->readers; i++)
        if (value->reader[i] != op && ancestry->seen[value->reader[i]] != ancestry->stamp)
            return false;
    return true;
}

/* Puts a new stamp on all operators from FIRST on that come before OP.  File
 * order is topological, so nothing before FIRST leads to one of them.  */
static void stamp_ancestors(struct ancestry *ancestry, size_t op, size_t first)
{
    const struct network *network = ancestry->network;
    size_t depth = 0;

    ancestry->stamp++;
    ancestry->stack[depth++] = op;
    while (depth > 0) {
        const struct network_op *next = &network->op[ancestry->stack[--depth]];

        for (size_t i = 0; i < next->inputs; i++) {
            size_t producer = network->value[next->input[i]].producer;

            if (producer == NETWORK_NONE || producer < first ||
                ancestry->seen[producer] == ancestry->stamp)
                continue;
            ancestry->seen[producer] = ancestry->stamp;
            ancestry->stack[depth++] = producer;
        }
    }
}

/* Whether OP is the last reader of chunk C in every order.  */
static bool is_only_tail(struct ancestry *ancestry, const struct places *places, size_t c,
                         size_t op)
{
    const struct network *network = ancestry->network;
    size_t earliest = op, first = places->chunk[c].value;
    const size_t *next = places->next;

    for (size_t v = first; v != NETWORK_NONE; v = next[v])
        for (size_t i = 0; i < network->value[v].readers; i++)
            if (network->value[v].reader[i] < earliest)
                earliest = network->value[v].reader[i];
    stamp_ancestors(ancestry, op, earliest);
    for (size_t v = first; v != NETWORK_NONE; v = next[v])
        if (!read_before(ancestry, &network->value[v], op))
            return false;
    return true;
}

/* Whether OP is what NNC has as EWSUM: a sum of tensors that all have the shape of the
 * result.  One that broadcasts is its ADD.  */
static bool is_plain_sum(const struct network *network, const struct network_op *op)
{
    static const char *const sums[] = {"add", "add_n", "sum"};
    bool sum = false;

    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        sum = sum || (op->kind == OP_ELEMENTWISE && strcmp(op->type, sums[i]) == 0);
    for (size_t i = 0; i < op->inputs; i++)
        sum = sum && value_same_type(&network->value[op->input[i]], &network->value[op->output[0]]);
    return sum;
}

/* Whether NNC's command for OP allows in place what REUSE says.  A batch normalisation
 * enforces it for its statistics, which are stored, and does not allow it for the map.  */
static bool nnc_allows(const struct network *network, const struct network_op *op,
                       const struct op_reuse *reuse)
{
    if (op->kind == OP_BATCH_NORM)
        return false;
    return reuse->input == reuse->output || is_plain_sum(network, op);
}

void inplace_nnc(struct places *places, const struct network *network,
                 const struct schedule *schedule)
{
    struct ancestry ancestry = {network, memory_zalloc(network->n_ops, sizeof *ancestry.seen), 0,
                                memory_alloc(network->n_ops, sizeof *ancestry.stack)};

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t r = 0; r < op->reuses; r++) {
            const struct op_reuse *reuse = &op->reuse[r];
            size_t x = op->input[reuse->input], y = op->output[reuse->output];
            size_t dest = places->chunk_of[x], src = places->chunk_of[y];

            if (!nnc_allows(network, op, reuse) || places->chunk[dest].src != SIZE_MAX ||
                places->chunk[src].dest != SIZE_MAX ||
                !can_overwrite(places, network, schedule, o, reuse) ||
                !value_same_type(&network->value[x], &network->value[y]) ||
                !is_only_tail(&ancestry, places, dest, o))
                continue;
            places->chunk[dest].src = src;
            places->chunk[src].dest = dest;
            places->chunk[src].offset = places->offset[x] + reuse->offset;
        }
    }
    free(ancestry.seen);
    free(ancestry.stack);
}

/* --- concatenation into place --- */

static bool is_intermediate(const struct chunk *chunk)
{
    return chunk->counts && chunk->size > 0 && !chunk->roles.input && !chunk->roles.output &&
           !chunk->roles.stored;
}

/* The first chunk of the chain that C ends, if each of its links is as large as
 * C and nothing of it lies in a whole; else SIZE_MAX.  */
static size_t movable_chain(const struct places *places, size_t c)
{
    int64_t size = places->chunk[c].size;

    for (; places->chunk[c].dest != SIZE_MAX; c = places->chunk[c].dest)
        if (places->chunk[c].size != size)
            return SIZE_MAX;
    return places->chunk[c].size == size && places->chunk[c].whole == SIZE_MAX ? c : SIZE_MAX;
}

/* Whether C is no longer read when WHOLE, or what that lies in, is overwritten.  */
static bool dies_in_time(const struct places *places, size_t c, size_t whole)
{
    for (; whole != SIZE_MAX; whole = places->chunk[whole].whole)
        if (places->chunk[whole].src != SIZE_MAX &&
            places->chunk[c].end > places->chunk[whole].end - 1)
            return false;
    return true;
}

static void place_parts(struct places *places, const struct network *network,
                        const struct network_op *op)
{
    for (size_t r = 0; r < op->reuses; r++) {
        const struct op_reuse *reuse = &op->reuse[r];
        size_t x = op->input[reuse->input], whole = places->chunk_of[op->output[reuse->output]];
        size_t part = places->chunk_of[x], start;

        if (reuse->kind != REUSE_PLACE || !is_intermediate(&places->chunk[whole]) ||
            !is_intermediate(&places->chunk[part]))
            continue;
        if (places->chunk[whole].value != op->output[reuse->output] ||
            value_bytes(&network->value[x]) != places->chunk[part].size)
            continue;
        start = places->chunk[part].src == SIZE_MAX ? movable_chain(places, part) : SIZE_MAX;
        if (start == SIZE_MAX || !dies_in_time(places, part, whole))
            continue;
        places->chunk[start].whole = whole;
        places->chunk[start].offset = reuse->offset;
    }
}

void inplace_concat(struct places *places, const struct network *network)
{
    for (size_t o = network->n_ops; o-- > 0;)
        if (network->op[o].kind == OP_CONCAT)
            place_parts(places, network, &network->op[o]);
}
