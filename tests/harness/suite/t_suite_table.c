/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The project's own suite: each entry makes the instance that the table says, to the byte; it
 * discriminates, and its best plan is one.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/suite/suite.h"
#include "harness/suite/suite_judge.h"
#include "lib/base/memory.h"
#include "lib/judge/certificate.h"
#include "lib/place/best_greedy.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "lib/problem/plan.h"
#include "tests/support/tap.h"

/* Larger ones than these: by hand, with 'arenabench suite export'.  */
enum { MOST_SMALL = 250, MOST = 20000 };

/* Draws of these are in floating point, which libraries round as they like.  */
static const char *const floating[] = {"heavy", "planted", "sizes=heavy"};

static bool is_floating(const char *workload)
{
    for (size_t i = 0; i < sizeof floating / sizeof floating[0]; i++)
        if (strstr(workload, floating[i]) != NULL)
            return true;
    return false;
}

/* The CSV file says all that the plan of an instance hangs on: it is the same instance when it is
 * read, or, where shapes may be cut into other pieces there, gives the same file again.  */
static bool is_read_back(const struct suite_entry *entry, const struct instance *instance,
                         const char *text, size_t length)
{
    FILE *in = fmemopen((void *)text, length, "r");
    struct instance *again = instance_csv_read(in, "t.csv", NULL, NULL);
    struct error error = {""};
    char *written = NULL;
    bool same = again != NULL && again->load == entry->load &&
                (instance->shapes ? instance_csv_widened(instance) == 0
                                  : instance_checksum(again) == entry->checksum);

    fclose(in);
    if (same)
        written = suite_csv(entry, again, &length, &error);
    free(written);
    instance_free(again);
    return written != NULL;
}

static bool is_file(const struct suite_entry *entry, const struct instance *instance)
{
    struct error error = {""};
    size_t length;
    char *text = suite_csv(entry, instance, &length, &error);
    bool good = text != NULL && is_read_back(entry, instance, text, length);

    if (text == NULL)
        tap_diag("%s", error.text);
    free(text);
    return good;
}

/* The best greedy plan, of bounding rectangles where there are pieces, is above the best known. */
static bool discriminates(const struct suite_entry *entry, const struct instance *instance)
{
    struct instance *joined = instance_joined(instance);
    struct plan *plan = plan_new(joined);
    bool above = true;

    for (size_t i = 0; above && i < greedy_plans(); i++) {
        greedy_plan(joined, i, NULL, plan);
        above = plan->peak > entry->upper;
    }
    plan_free(plan);
    instance_free(joined);
    return above;
}

static bool has_plan(const struct suite_entry *entry, const struct instance *instance,
                     const char *folder)
{
    struct error error = {""};
    struct plan *plan = suite_best_plan(entry, instance, folder, NULL, &error);

    if (plan == NULL)
        tap_diag("%s", error.text);
    plan_free(plan);
    return plan != NULL;
}

static bool is_certified(const struct suite_entry *entry, const struct instance *instance,
                         const char *folder)
{
    char *path = memory_printf("%s/%s", folder, entry->certificate);
    struct certificate certificate = {0};
    struct error error = {""};
    FILE *in = fopen(path, "r");
    bool good = in != NULL && certificate_check(in, path, instance, &certificate, &error) &&
                certificate.capacity + 1 == entry->lower;

    if (in != NULL)
        fclose(in);
    free(path);
    return good;
}

static void test_entry(const struct suite_entry *entry, const char *folder)
{
    struct error error = {""};
    struct instance *instance = suite_instance(entry, &error);

    if (!ok(instance != NULL, "%s is made: %s", entry->name, error.text))
        return;
    ok((int64_t)instance->n == entry->buffers && instance->load == entry->load,
       "%s: buffers and load", entry->name);
    ok(!is_floating(entry->workload), "%s is drawn in whole numbers", entry->name);
    ok(is_file(entry, instance), "%s: its file, and read back", entry->name);
    ok(discriminates(entry, instance), "%s: greedy plans are above the best known", entry->name);
    ok((strcmp(entry->lower_by, "load") == 0) == (entry->lower == entry->load),
       "%s: who proved its bound", entry->name);
    ok(has_plan(entry, instance, folder), "%s: its best plan", entry->name);
    if (entry->certificate[0] != '\0')
        ok(is_certified(entry, instance, folder), "%s: its certificate", entry->name);
    instance_free(instance);
}

/* What the classes promise.  */
static void test_classes(const struct suite *suite)
{
    static const char *const names[] = {"network", "training", "accelerator", "compiler",
                                        "tight",   "aligned",  "pieces"};
    size_t proven = 0;

    for (size_t c = 0; c < sizeof names / sizeof names[0]; c++) {
        size_t count = 0;

        for (size_t i = 0; i < suite->count; i++)
            count += strcmp(suite->entry[i].class_name, names[c]) == 0;
        ok(count >= 10, "class %s has %zu instances", names[c], count);
    }
    for (size_t i = 0; i < suite->count; i++)
        proven += suite->entry[i].lower == suite->entry[i].upper;
    ok(proven >= suite->count / 2 && proven < suite->count, "%zu of %zu optima are known", proven,
       suite->count);
}

int main(void)
{
    char *folder = suite_folder(NULL);
    struct error error = {""};
    struct suite suite;

    if (ok(suite_open(&suite, folder, &error), "the table is read: %s", error.text)) {
        test_classes(&suite);
        for (size_t i = 0; i < suite.count; i++)
            if (suite.entry[i].buffers <= tap_tier(MOST_SMALL, MOST))
                test_entry(&suite.entry[i], folder);
        suite_clear(&suite);
    }
    free(folder);
    return tap_done();
}
