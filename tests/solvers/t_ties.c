/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ties: each rule is a permutation, and only equal keys feel it.  */
#include <config.h>

#include "solvers/fit/ties.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MANY = 20 };

static const struct param table[] = {TIES_PARAM, PARAM_END};

static bool is_permutation(const size_t *order)
{
    bool seen[MANY] = {false};

    for (size_t i = 0; i < MANY; i++) {
        if (order[i] >= MANY || seen[order[i]])
            return false;
        seen[order[i]] = true;
    }
    return true;
}

/* The order under TEXT; the caller frees it.  */
static size_t *order_of(const char *text, uint32_t seed, enum ties_upstream upstream)
{
    const struct param *const tables[] = {table};
    struct params params;
    struct error error = {""};
    struct solver_env env = {.params = &params, .seed = seed};
    size_t *order;

    if (!params_parse(&params, "a planner", text, tables, 1, &error))
        abort();
    order = ties_order(&env, MANY, upstream);
    params_clear(&params);
    return order;
}

static bool same(const size_t *a, const size_t *b)
{
    return memcmp(a, b, MANY * sizeof *a) == 0;
}

static void orders(void)
{
    size_t *first = order_of("", 1, TIES_FIRST), *last = order_of("", 1, TIES_LAST);
    size_t *index = order_of("ties=index", 1, TIES_LAST);
    size_t *one = order_of("ties=shuffle", 1, TIES_FIRST);
    size_t *again = order_of("ties=shuffle", 1, TIES_LAST);
    size_t *two = order_of("ties=shuffle", 2, TIES_FIRST);

    ok(is_permutation(first) && first[0] == 0 && first[MANY - 1] == MANY - 1, "the first first");
    ok(is_permutation(last) && last[0] == MANY - 1 && last[MANY - 1] == 0, "the last first");
    ok(same(first, index), "ties=index forgets what the planner does");
    ok(is_permutation(one) && is_permutation(two), "a shuffle is a permutation");
    ok(same(one, again), "of the seed alone");
    ok(!same(one, two) && !same(one, first), "and another seed gives another one");
    free(first);
    free(last);
    free(index);
    free(one);
    free(again);
    free(two);
}

/* Plans of NAME with every rule on DISTINCT sizes and lifetimes: all the same.  On equal
 * ones some seed has to give another plan; one buffer lives longer, so that none of the
 * others lives all the time, which some planners ask first.  */
static void planner(const char *name, bool distinct)
{
    char *spec = memory_printf("%s:ties=shuffle", name);
    struct instance *instance = instance_new("ties");
    struct plan *plan[MANY];
    bool equal = true;

    for (int64_t b = 0; b < MANY; b++)
        if (distinct)
            instance_add(instance, (char[]){(char)('a' + b), '\0'}, b, 2 * b + 3, 10 + 7 * b, 1);
        else
            instance_add(instance, (char[]){(char)('a' + b), '\0'}, b > 0, b > 0 ? 5 : 6, 10, 1);
    instance = sealed(instance);
    for (uint32_t seed = 1; seed <= MANY; seed++) {
        plan[seed - 1] = solver_plan(spec, instance, seed);
        equal = equal && memcmp(plan[seed - 1]->offset, plan[0]->offset,
                                MANY * sizeof *plan[0]->offset) == 0;
    }
    ok(equal == distinct, "%s: %s", name,
       distinct ? "without ties nothing changes" : "ties change the plan");
    for (size_t i = 0; i < MANY; i++)
        plan_free(plan[i]);
    instance_free(instance);
    free(spec);
}

int main(void)
{
    orders();
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        const struct solver *solver = entry->solver;

        for (const struct param *p = solver->params; p != NULL && p->name != NULL; p++)
            if (strcmp(p->name, "ties") == 0 && solver->kind == SOLVER_HEURISTIC &&
                (solver->capabilities & (SOLVER_SEED | SOLVER_ANYTIME)) == 0 &&
                solver->applicable == NULL) {
                /* Who looks at the rows' order has keys that never tell two apart.  */
                if ((solver->capabilities & SOLVER_INPUT_ORDER) == 0)
                    planner(solver->name, true);
                planner(solver->name, false);
            }
    }
    return tap_done();
}
