/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has to be proven at once: uniform instances, networks, training graphs, model
 * files.  */
#include <config.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_exact.h"
#include "tests/bench/bench_runs.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* One kind of workload, each of which has to be proven within LIMIT_S.  */
struct quota {
    double limit_s, slowest;
    size_t runs, met;
    char *worst;
};

static void add_to_quota(struct quota *quota, const char *spec, uint32_t seed, size_t most)
{
    struct instance *instance = bench_load(spec);
    struct bench_run run;

    if (instance == NULL || instance->n > most || instance->n == 0) {
        instance_free(instance);
        return;
    }
    run = bench_measure(exact_ours, NULL, instance, seed, 10.0 * quota->limit_s);
    instance_free(instance);
    quota->runs++;
    quota->met += run.optimal && run.time < quota->limit_s;
    if (run.time <= quota->slowest && run.optimal)
        return;
    quota->slowest = fmax(run.time, quota->slowest);
    free(quota->worst);
    quota->worst = memory_strdup(spec);
}

static void judge_quota(struct quota *quota, const char *what)
{
    const char *worst = quota->worst != NULL ? quota->worst : "none", *slash = strrchr(worst, '/');

    bench_goal(quota->met == quota->runs, "%s: %zu of %zu proven within %g s; slowest %.4f s (%s)",
               what, quota->met, quota->runs, quota->limit_s, quota->slowest,
               slash != NULL ? slash + 1 : worst);
    free(quota->worst);
}

static void uniform(const struct exact_effort *effort)
{
    struct quota quota = {.limit_s = 0.1};

    for (int n = 30; n <= 200; n += 10)
        for (uint32_t seed = 1; seed <= (effort->uniform_seeds); seed++) {
            char *spec = memory_printf("uniform:n=%d,seed=%u", n, seed);

            add_to_quota(&quota, spec, seed, SIZE_MAX);
            free(spec);
        }
    judge_quota(&quota, "dense uniform, n = 30 to 200");
}

/* Networks with loops have none.  */
static bool has_gradient(const char *name)
{
    return strcmp(name, "lstm_lm") != 0 && strcmp(name, "gru_lm") != 0;
}

static void networks(void)
{
    struct quota plain = {.limit_s = 1.0}, training = {.limit_s = 1.0};

    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (const struct network_model *model = network_registry[f]->model; model->name != NULL;
             model++) {
            char *spec = memory_printf("%s:train=sgd", model->name);

            add_to_quota(&plain, model->name, 1, SIZE_MAX);
            if (has_gradient(model->name))
                add_to_quota(&training, spec, 1, 499);
            free(spec);
        }
    judge_quota(&plain, "networks");
    judge_quota(&training, "training graphs under 500 buffers");
}

static void model_files(void)
{
    static const char *const folders[] = {"ncnn", "onnx", "tflite", "onnx-control"};
    struct quota quota = {.limit_s = 1.0};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *folder = memory_printf("%s/%s", tap_data(), folders[i]);
        DIR *directory = opendir(folder);
        struct dirent *entry;

        while (directory != NULL && (entry = readdir(directory)) != NULL)
            if (entry->d_name[0] != '.') {
                char *path = memory_printf("%s/%s", folder, entry->d_name);

                add_to_quota(&quota, path, 1, SIZE_MAX);
                free(path);
            }
        if (directory != NULL)
            closedir(directory);
        free(folder);
    }
    judge_quota(&quota, "model files");
}

void exact_others(const struct exact_effort *effort)
{
    printf("\nto be proven at once\n");
    uniform(effort);
    networks();
    if (tap_data() != NULL)
        model_files();
}
