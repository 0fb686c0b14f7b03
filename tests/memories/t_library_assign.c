/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arenaplan_assign on networks, beside the planner by saving, the exchange and the relaxation of
 * this room, which share no code with it.  */
#include <config.h>

#include <math.h>

#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/heuristics.h"
#include "memories/master.h"
#include "memories/split.h"
#include "planner/arenaplan.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static const char *const networks[] = {
    "squeezenet1_1",
    "resnet18",
    "mobilenet_v2",
    "resnet50",
    "inception_v3",
    "densenet121",
    "unet",
    "efficientnet_b0",
    "googlenet",
    "shufflenet_v2_x1_0",
    "vgg16",
    "yolov3-tiny",
    "yolov4-tiny",
    "bert_base",
    "gpt2",
    "mobilenet_v3_large",
    "xception",
    "resnext50_32x4d",
    "resnet152",
    "alexnet",
    "lstm_lm",
    "mobilenet_v1",
    "mobilenet_v3_small",
    "squeezenet1_0",
    "vit_b_16",
    "vgg19",
    "resnet34",
    "resnet101",
};

/* The memories as the library knows them; costs in thousandths, as there.  */
static struct arenaplan_assignment ask(const struct split_problem *problem, struct split *split)
{
    const size_t n = problem->instance->n;
    struct arenaplan_memory memory[2];
    struct arenaplan_access *access = memory_zalloc(n, sizeof *access);
    struct arenaplan_memories memories = ARENAPLAN_MEMORIES(memory, 2, access);
    struct arenaplan_assignment assignment = ARENAPLAN_ASSIGNMENT;

    for (size_t m = 0; m < 2; m++)
        memory[m] = (struct arenaplan_memory){problem->memory[m].capacity, 1,
                                              problem->memory[m].read, problem->memory[m].write};
    for (size_t b = 0; b < n; b++) {
        access[b].reads = problem->traffic.reads[b];
        access[b].writes = problem->traffic.writes[b];
    }
    arenaplan_assign(&problem->given.problem, &memories, NULL, split->memory, split->offset,
                     &assignment);
    split->cost = assignment.cost;
    memory_free(access);
    return assignment;
}

static void network(const char *spec, const char *fast)
{
    static const struct split_limits limits = {SPLIT_USUAL_WORK, INFINITY};
    struct instance *instance = instance_of(spec);
    struct memories memories = {0};
    struct arenaplan_assignment assignment;
    struct split_problem problem;
    struct split split, plain;
    struct error error = {""};
    int64_t by_saving, relaxed = 0;
    double begun;
    size_t *order;

    if (!memories_add(&memories, fast, &error) ||
        !memories_add(&memories, "slow,read=8,write=10", &error) ||
        !memories_size(&memories, instance->load, &error) ||
        !split_problem_init(&problem, instance, &memories, &error))
        tap_bail(error.text);
    split_init(&split, &problem);
    split_init(&plain, &problem);
    order = split_by_saving(&problem);
    if (!split_in_order(&problem, order, &limits, &plain))
        tap_bail("by saving");
    by_saving = plain.cost;
    split_exchange(&problem, &limits, &plain);
    split_relax(&problem, INFINITY, &relaxed, NULL);
    begun = timer_now();
    assignment = ask(&problem, &split);
    tap_diag("%s %s: %.4f s, by saving %+.3f %%, exchange %+.3f %%, gap %.3f %%, bound %+.3f %% of "
             "the relaxation's",
             spec, fast, timer_now() - begun,
             100.0 * (double)(by_saving - split.cost) / (double)split.cost,
             100.0 * (double)(plain.cost - split.cost) / (double)split.cost,
             100.0 * (double)(split.cost - assignment.lower_bound) / (double)split.cost,
             100.0 * (double)(assignment.lower_bound - relaxed) / (double)relaxed);
    ok(assignment.status <= ARENAPLAN_FEASIBLE && split_verify(&problem, &split, &error),
       "%s, %s: the room's judge takes it %s", spec, fast, error.text);
    ok(split.cost <= by_saving, "no worse than by saving");
    ok(assignment.lower_bound <= plain.cost && assignment.lower_bound <= split.cost &&
           (double)assignment.lower_bound >= 0.99 * (double)relaxed,
       "the bound is one, and within 1 %% of the relaxation's");
    split_clear(&split);
    split_clear(&plain);
    split_problem_clear(&problem);
    memories_clear(&memories);
    memory_free(order);
    instance_free(instance);
}

int main(void)
{
    const int count = tap_tier(5, (int)(sizeof networks / sizeof *networks));

    for (int i = 0; i < count; i++) {
        network(networks[i], "fast=25%,read=1,write=1");
        network(networks[i], "fast=50%,read=1,write=1");
        network(networks[i], "fast=75%,read=1,write=1");
    }
    return tap_done();
}
