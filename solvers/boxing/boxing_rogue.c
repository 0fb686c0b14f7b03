/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxing: buckets of heights (Corollary 15), and the small jobs as long as that is safe
 * (Theorem 16).  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "solvers/boxing/boxing.h"

const double boxing_mu_limit = 0.61803398874989484820;

void boxing_corollary15(struct boxing *boxing, struct job_list *list, double height, double epsilon)
{
    size_t count = list->count, first = 0;
    struct order_key *key = memory_alloc(count, sizeof *key);
    uint32_t *job = memory_alloc(count, sizeof *job);
    double power = 1.0;

    for (size_t i = 0; i < count; i++)
        key[i] = (struct order_key){(uint64_t)boxing->job[list->job[i]].height, 0, list->job[i]};
    order_sort(key, count);
    for (size_t i = 0; i < count; i++)
        job[i] = (uint32_t)key[i].index;
    list->count = 0;
    for (int i = 1; first < count; i++) {
        size_t last = first;

        while (last < count && (double)key[last].major <= power)
            last++;
        if (last > first)
            boxing_theorem2(boxing, job + first, last - first, (size_t)floor(height / floor(power)),
                            (int64_t)floor(height), epsilon, list);
        first = last;
        power = pow(1.0 + epsilon, i);
    }
    free(job);
    free(key);
}

/* --- the variant of Theorem 16 --- */

struct boxing_scale boxing_scale(const struct boxing *boxing, const struct job_list *list,
                                 double epsilon)
{
    int64_t least = INT64_MAX, most = 0;
    struct boxing_scale scale;
    double lg2r;

    for (size_t i = 0; i < list->count; i++) {
        least = min64(least, boxing->job[list->job[i]].height);
        most = max64(most, boxing->job[list->job[i]].height);
    }
    scale.r = (double)most / (double)least;
    lg2r = log2(scale.r) * log2(scale.r);
    scale.mu = epsilon / lg2r;
    scale.height = ceil(pow(scale.mu, 5.0) * (double)most / lg2r);
    scale.small = floor(scale.mu * scale.height);
    scale.safe = scale.mu < boxing_mu_limit && scale.small >= (double)least;
    return scale;
}

void boxing_rogue(struct boxing *boxing, struct job_list *list, double epsilon)
{
    struct boxing_scale scale = boxing_scale(boxing, list, epsilon);
    struct job_list small = {0};

    for (; scale.safe; scale = boxing_scale(boxing, list, epsilon)) {
        size_t kept = 0;

        small.count = 0;
        for (size_t i = 0; i < list->count; i++) {
            if ((double)boxing->job[list->job[i]].height <= scale.small)
                job_list_add(&small, list->job[i]);
            else
                list->job[kept++] = list->job[i];
        }
        list->count = kept;
        boxing_corollary15(boxing, &small, scale.height, scale.mu);
        for (size_t i = 0; i < small.count; i++)
            job_list_add(list, small.job[i]);
    }
    job_list_clear(&small);
}
