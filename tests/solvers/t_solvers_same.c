/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast planners give the offsets of the plain ones, buffer for buffer.  */
#include <config.h>

#include "tests/oracles/reference_planners.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

static void path_cover_first(const struct instance *instance, struct plan *plan)
{
    reference_path_cover(instance, 0, plan);
}

static void path_cover_last(const struct instance *instance, struct plan *plan)
{
    reference_path_cover(instance, 1, plan);
}

static void path_cover_best(const struct instance *instance, struct plan *plan)
{
    reference_path_cover(instance, 2, plan);
}

static const struct plain_pair pairs[] = {
    {"duration-size", reference_duration_size, 10000, 6000},
    {"duration-size:order=begin", reference_duration_size_begin, 10000, 6000},
    {"duration-size:order=end", reference_duration_size_end, 10000, 6000},
    {"greedy-by-size", reference_greedy_by_size, 10000, 30000},
    {"first-fit-by-size", reference_first_fit_by_size, 10000, 6000},
    {"path-cover:choice=first", path_cover_first, 10000, 30000},
    {"path-cover:choice=last", path_cover_last, 10000, 6000},
    {"path-cover:choice=best", path_cover_best, 10000, 6000},
    {NULL, NULL, 0, 0},
};

int main(void)
{
    same_plans(pairs);
    return tap_done();
}
