/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/accesses.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "memories/split.h"

/* One that was found, of a buffer that may have others at the same step.  */
struct found {
    size_t buffer;
    struct access access;
};

struct finding {
    const struct instance *instance;
    size_t count, room;
    struct found *found;
};

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    return ORDER(x->buffer, y->buffer) ?: ORDER(x->access.step, y->access.step);
}

static void add(struct finding *finding, size_t b, int64_t step, int64_t reads, int64_t writes)
{
    finding->found =
        memory_grow(finding->found, &finding->room, finding->count + 1, sizeof *finding->found);
    finding->found[finding->count++] = (struct found){b, {step, reads, writes}};
}

static bool see(void *context, size_t b, size_t op, int64_t reads, int64_t writes)
{
    struct finding *finding = context;
    const int64_t begin = finding->instance->buffer[b].begin;

    if (reads > 0 || writes > 0)
        add(finding, b, op == NETWORK_NONE ? begin : finding->instance->origin->schedule->step[op],
            reads, writes);
    return true;
}

/* The accesses that the instance says, those of buffer B from FIRST to END, share its bytes.  */
static void add_said(struct finding *finding, const struct traffic *traffic, size_t b, size_t first,
                     size_t end)
{
    const struct instance *instance = finding->instance;
    int64_t reading = 0, writing = 0, reads = traffic->reads[b], writes = traffic->writes[b];

    for (size_t a = first; a < end; a++)
        *(instance->access[a].writes ? &writing : &reading) += 1;
    for (size_t a = first; a < end; a++) {
        int64_t *bytes = instance->access[a].writes ? &writes : &reads;
        int64_t *others = instance->access[a].writes ? &writing : &reading;
        const int64_t part = *bytes / *others; /* the last one has what is left */

        *bytes -= part;
        *others -= 1;
        add(finding, b, instance->access[a].step, instance->access[a].writes ? 0 : part,
            instance->access[a].writes ? part : 0);
    }
    if (reads > 0) /* though none of them reads */
        add(finding, b, instance->buffer[b].end - 1, reads, 0);
}

/* Of an instance without a network.  */
static void add_all_said(struct finding *finding, const struct traffic *traffic)
{
    const struct instance *instance = finding->instance;

    for (size_t b = 0, a = 0; b < instance->n; b++) {
        const size_t first = a;

        while (a < instance->n_accesses && instance->access[a].buffer == b)
            a++;
        if (a > first) {
            add_said(finding, traffic, b, first, a);
        } else {
            add(finding, b, instance->buffer[b].begin, 0, traffic->writes[b]);
            add(finding, b, instance->buffer[b].end - 1, traffic->reads[b], 0);
        }
    }
}

/* Those of one buffer and step become one.  */
static void join(struct finding *finding, struct accesses *accesses)
{
    const size_t n = finding->instance->n;
    size_t at = 0;

    sort_stable(finding->found, finding->count, sizeof *finding->found, compare_found);
    accesses->first = memory_zalloc(n + 1, sizeof *accesses->first);
    accesses->access = memory_alloc(finding->count, sizeof *accesses->access);
    for (size_t b = 0, i = 0; b < n; b++) {
        accesses->first[b] = at;
        for (; i < finding->count && finding->found[i].buffer == b; i++) {
            const struct access *access = &finding->found[i].access;

            if (at > accesses->first[b] && accesses->access[at - 1].step == access->step) {
                accesses->access[at - 1].reads += access->reads;
                accesses->access[at - 1].writes += access->writes;
            } else {
                accesses->access[at++] = *access;
            }
        }
    }
    accesses->first[n] = at;
}

bool accesses_find(const struct split_problem *problem, struct accesses *accesses,
                   struct error *error)
{
    const struct instance *instance = problem->instance;
    struct finding finding = {.instance = instance};

    if (instance->pairs || (instance->origin != NULL && instance->origin->stream != NULL))
        return error_set(error, "%s: what conflicts is not a matter of steps, which moves need",
                         instance->name);
    if (instance->origin == NULL)
        add_all_said(&finding, &problem->traffic);
    for (size_t b = 0; b < instance->n && instance->origin != NULL; b++)
        add(&finding, b, instance->buffer[b].begin, 0, 0);
    if (instance->origin != NULL)
        traffic_each(instance->origin, see, &finding);
    join(&finding, accesses);
    memory_free(finding.found);
    return true;
}

void accesses_clear(struct accesses *accesses)
{
    memory_free(accesses->first);
    memory_free(accesses->access);
}
