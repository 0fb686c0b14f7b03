/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/placement.h"

#include <stdlib.h>

#include "harness/io/nodes.h"
#include "lib/base/memory.h"

static int compare_ints(int a, int b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b)
{
    const struct placement_spot *x = a, *y = b;

    if (x->node != y->node)
        return compare_ints(x->node, y->node);
    if (x->core != y->core)
        return compare_ints(x->core, y->core);
    return compare_ints(x->processor, y->processor);
}

struct placement_spot *placement_find(const cpu_set_t *allowed, size_t *count)
{
    const size_t n = (size_t)CPU_COUNT(allowed);
    struct placement_spot *spot = memory_zalloc(n, sizeof *spot);

    *count = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, allowed))
            spot[(*count)++] = (struct placement_spot){.processor = cpu, .core = cpu};
    if (nodes_find(spot, n))
        qsort(spot, n, sizeof *spot, compare_places);
    for (size_t i = 1; i < n; i++)
        if (spot[i].core == spot[i - 1].core)
            spot[i].thread = spot[i - 1].thread + 1;
    return spot;
}

/* How many spots from AT on are of the same node, and of these first ones of a core.  */
static size_t count_node(const struct placement_spot *spot, size_t count, size_t at, size_t *cores)
{
    const int node = spot[at].node;
    const size_t begin = at;

    *cores = 0;
    for (; at < count && spot[at].node == node; at++)
        *cores += spot[at].thread == 0;
    return at - begin;
}

/* Where the first node with so many cores begins, or else 0.  */
static size_t find_node(const struct placement_spot *spot, size_t count, size_t threads)
{
    size_t cores, length;

    for (size_t at = 0; at < count; at += length) {
        length = count_node(spot, count, at, &cores);
        if (cores >= threads)
            return at;
    }
    return 0;
}

size_t placement_choose(const struct placement_spot *spot, size_t count, size_t threads,
                        cpu_set_t *chosen)
{
    const size_t first = find_node(spot, count, threads);
    size_t nodes = 0, left = threads;
    int last = -1;

    CPU_ZERO(chosen);
    for (int thread = 0; left > 0 && thread < (int)count; thread++)
        for (size_t i = first; left > 0 && i < count; i++)
            if (spot[i].thread == thread) {
                CPU_SET((size_t)spot[i].processor, chosen);
                left--;
            }
    for (size_t i = 0; i < count; i++)
        if (CPU_ISSET((size_t)spot[i].processor, chosen)) {
            nodes += nodes == 0 || spot[i].node != last;
            last = spot[i].node;
        }
    return nodes;
}

void placement_share(const struct placement_spot *spot, size_t count, size_t share, size_t shares,
                     cpu_set_t *chosen)
{
    const size_t first = count >= shares ? share * count / shares : share % count;
    const size_t end = count >= shares ? (share + 1) * count / shares : first + 1;

    CPU_ZERO(chosen);
    for (size_t i = first; i < end; i++)
        CPU_SET((size_t)spot[i].processor, chosen);
}

/* NULL where it is not known what this process may use.  */
static struct placement_spot *find_own(size_t *count)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) == 0)
        return NULL;
    return placement_find(&allowed, count);
}

bool placement_bind(size_t threads)
{
    size_t count, nodes;
    struct placement_spot *spot = find_own(&count);
    cpu_set_t chosen;

    if (spot == NULL || threads > count) {
        free(spot);
        return false;
    }
    nodes = placement_choose(spot, count, threads, &chosen);
    free(spot);
    return sched_setaffinity(0, sizeof chosen, &chosen) == 0 &&
           (nodes == 1 || nodes_interleave(&chosen));
}

bool placement_bind_share(size_t share, size_t shares)
{
    size_t count;
    struct placement_spot *spot = find_own(&count);
    cpu_set_t chosen;

    if (spot == NULL)
        return false;
    placement_share(spot, count, share, shares, &chosen);
    free(spot);
    return sched_setaffinity(0, sizeof chosen, &chosen) == 0;
}

static char *append_count(char *text, size_t count, const char *what)
{
    return memory_append(text, "%s%zu %s%s", text[0] == '\0' ? "" : ", ", count, what,
                         count == 1 ? "" : "s");
}

char *placement_text(void)
{
    size_t count, cores = 0, nodes = 0, length;
    struct placement_spot *spot = find_own(&count);
    char *text;

    if (spot == NULL)
        return NULL;
    for (size_t at = 0; at < count; at += length, nodes++) {
        size_t of_node;

        length = count_node(spot, count, at, &of_node);
        cores += of_node;
    }
    free(spot);
    text = append_count(memory_strdup(""), nodes, "node");
    text = append_count(text, cores, "core");
    return append_count(text, count, "processor");
}
