/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a build with checks says of structures that someone has broken: each is brought out of
 * order through its header, in a process of its own, before its next step.  */
#include <config.h>

#include "lib/base/check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/checked.h"
#include "lib/place/index_set.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/disjunctive/pairs_bounds.h"
#include "planner/disjunctive/pairs_nogoods.h"
#include "planner/disjunctive/pairs_problem.h"
#include "planner/dives/section_classes.h"
#include "planner/dives/section_light.h"
#include "planner/sections/section_rules.h"
#include "planner/sections/section_state.h"
#include "solvers/fit/block_heap.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/interval_index.h"
#include "tests/support/all_classes.h"
#include "tests/support/tap.h"

/* Two buffers that live together, and one after them.  */
static struct instance *three(void)
{
    struct instance *instance = instance_new("three");

    instance_add(instance, "a", 0, 4, 8, 1);
    instance_add(instance, "b", 2, 6, 4, 1);
    instance_add(instance, "c", 5, 9, 4, 1);
    if (!instance_seal(instance, NULL, NULL))
        abort();
    return instance;
}

static void break_index_set(bool broken)
{
    struct index_set set;

    index_set_init(&set, 1000);
    index_set_add(&set, 500);
    if (broken)
        set.level[0][900 / 64] |= UINT64_C(1) << 900 % 64; /* and no summary knows it */
    index_set_add(&set, 100);
}

static void break_free_blocks(bool broken)
{
    struct free_blocks blocks = {0};

    free_blocks_add(&blocks, (struct free_block){8, 0, 0});
    free_blocks_add(&blocks, (struct free_block){16, 0, 1});
    if (broken)
        blocks.entry[0].size = 32;
    free_blocks_add(&blocks, (struct free_block){64, 0, 2});
}

static void break_block_heap(bool broken)
{
    struct block_heap heap;
    size_t low, high;

    block_heap_init(&heap);
    low = block_heap_add(&heap, 0, 0, 8);
    high = block_heap_add(&heap, 0, 8, 16);
    block_heap_take(&heap, block_heap_add(&heap, 0, 24, 64));
    if (broken)
        heap.block[low].size = 2 * heap.block[high].size;
    block_heap_release(&heap, 2);
}

static void break_interval_index(bool broken)
{
    struct instance *instance = three();
    struct interval_index index;

    interval_index_init(&index, instance);
    interval_index_add(&index, 0);
    if (broken)
        index.latest[1] = 99;
    interval_index_add(&index, 1);
}

static void break_light(bool broken)
{
    struct instance *instance = three();
    struct section_classes *classes = all_classes(instance, true);
    struct section_light light;

    section_light_init(&light, classes, true, 1 << 16, 1);
    section_light_reset(&light, 100);
    if (broken)
        light.rest[0]--;
    section_light_place(&light, 0);
}

static void break_counts(bool broken)
{
    struct instance *instance = three();
    struct section_classes *classes = all_classes(instance, true);
    struct section_light light;

    section_light_init(&light, classes, true, 1 << 16, 1);
    section_light_reset(&light, 100);
    section_light_infer(&light);
    if (broken)
        light.counts.candidates[0]++;
    section_light_place(&light, 0);
}

static void break_state(bool broken)
{
    struct instance *instance = three();
    struct section_classes *problem = section_classes_of(instance, 1, false, false);
    struct section_state state;

    section_state_init(&state, problem);
    section_state_reset(&state, 100);
    if (broken)
        state.section[1].total--;
    section_state_place(&state, 0);
    section_rules_apply(&state);
}

static void break_bounds(bool broken)
{
    struct instance *instance = three();
    struct pairs_problem *problem = pairs_problem_new(instance, 1);
    struct pairs_bounds bounds;
    const struct pairs_reason reason = {.rule = PAIRS_CHOICE};

    pairs_bounds_init(&bounds, problem);
    pairs_bounds_reset(&bounds, 100);
    pairs_bounds_raise(&bounds, 0, 8, &reason);
    if (broken)
        bounds.bound[0] = 7;
    pairs_bounds_raise(&bounds, 2, 8, &reason);
}

static void break_watches(bool broken)
{
    struct pairs_literal literal[] = {{0, 4}, {2, 4}};
    const struct pairs_literals literals = {literal, 2, 2};
    struct pairs_nogoods nogoods;

    pairs_nogoods_init(&nogoods, 6);
    pairs_nogoods_add(&nogoods, &literals);
    if (broken)
        nogoods.watches[2].n = 0;
    pairs_nogoods_add(&nogoods, &literals);
}

static void break_plan(bool broken)
{
    struct instance *instance = three();
    struct plan *plan = plan_new(instance);

    plan->offset[1] = broken ? 4 : 8;
    plan->peak = 12;
    CHECK_INVARIANT(plan_check(instance, plan));
}

static const struct {
    const char *name;
    void (*run)(bool broken);
    const char *says; /* at the end of the line */
} cases[] = {
    {"index set", break_index_set,
     "index set: broken invariant: a bit of a summary says whether there are members below it"},
    {"free blocks", break_free_blocks,
     "free blocks: broken invariant: they stand by size, then tie and block, each once"},
    {"block heap", break_block_heap,
     "block heap: broken invariant: free blocks stand by size, then start"},
    {"interval index", break_interval_index,
     "interval index: broken invariant: a block knows its latest end"},
    {"light engine", break_light,
     "light engine: broken invariant: a section's rest is the total of what is not placed"},
    {"candidate counts", break_counts,
     "candidate counts: broken invariant: a section's candidates are the members that start "
     "within its limit"},
    {"section state", break_state,
     "section state: broken invariant: a section's total is of what is unplaced"},
    {"bounds of pairs", break_bounds,
     "bounds of pairs: broken invariant: a bound is where its last rise left it"},
    {"nogoods of pairs", break_watches,
     "nogoods of pairs: broken invariant: a nogood has two watches"},
    {"plan", break_plan, "plan: broken invariant: no two buffers meet"},
};

/* Runs a case in a process of its own; what it writes on standard error is in TEXT.  */
static int run_case(size_t i, bool broken, char *text, size_t room)
{
    int ends[2], status = -1;
    size_t length = 0;
    ssize_t got;
    pid_t child;

    if (pipe(ends) != 0)
        abort();
    child = tap_fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        cases[i].run(broken);
        _exit(0);
    }
    close(ends[1]);
    while (length + 1 < room && (got = read(ends[0], text + length, room - length - 1)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strcspn(text, "\n"), tail = strlen(end);

    return length >= tail && memcmp(text + length - tail, end, tail) == 0;
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };

    if (!CHECKS) {
        tap_skip(2 * CASES, "built without --enable-checks");
        return tap_done();
    }
    for (size_t i = 0; i < CASES; i++) {
        char text[4096];
        int status = run_case(i, true, text, sizeof text);

        ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && ends_with(text, cases[i].says),
           "%s: %.*s", cases[i].name, (int)strcspn(text, "\n"), text);
        status = run_case(i, false, text, sizeof text);
        ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: nothing to say as it was%s",
           cases[i].name, text);
    }
    return tap_done();
}
