/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/runs.h"

#include <stdlib.h>

#include "solvers/solver.h"
#include "tests/support/tap.h"

static struct run_result *run(const struct contestant *contestant, const struct instance *instance,
                              uint32_t seed, const struct run_limits *limits)
{
    static struct run_result result;

    run_result_clear(&result);
    run_solver(instance, contestant, seed, limits, &result);
    return &result;
}

struct run_result *fake_run(const struct solver *solver, const struct instance *instance,
                            uint32_t seed, const struct run_limits *limits)
{
    const struct solver_entry entry = {solver, "0"};
    const struct contestant contestant = {.entry = &entry};

    return run(&contestant, instance, seed, limits);
}

struct contestant contestant_of(const char *spec)
{
    struct contestant contestant;
    struct error error = {""};

    if (contestant_parse(&contestant, spec, &error))
        return contestant;
    tap_diag("%s", error.text);
    abort();
}

struct run_result *spec_run(const char *spec, const struct instance *instance,
                            const struct run_limits *limits)
{
    struct contestant contestant = contestant_of(spec);
    struct run_result *result = run(&contestant, instance, 1, limits);

    contestant_clear(&contestant);
    return result;
}

void is_outcome(const struct run_result *result, enum outcome want, const char *what)
{
    is_text(outcome_name(result->outcome), outcome_name(want), "%s: %s", what, result->reason);
}
