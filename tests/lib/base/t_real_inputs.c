/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the real inputs are, what is missing among them, and that those which
 * experiments name can be had.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/sweep/experiment.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/base/source_tree.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* Compares the folder with WANT, which may be NULL.  */
static void folder_is(const char *want, const char *text)
{
    char *folder = real_inputs_folder();

    is_text(folder, want, "%s", text);
    free(folder);
}

static void named(void)
{
    char folder[] = "t_real_inputs.XXXXXX", *file;
    FILE *out;

    if (!ok(mkdtemp(folder) != NULL, "a folder of our own"))
        return;
    file = memory_printf("%s/here.csv", folder);
    out = fopen(file, "w");
    ok(out != NULL && fclose(out) == 0, "a file in it");
    setenv("ARENABENCH_DATA", folder, 1);
    folder_is(folder, "ARENABENCH_DATA names the folder");
    is_text(real_inputs_origin(), "the folder that ARENABENCH_DATA names", "its origin");
    ok(!real_inputs_missing("here.csv"), "a file that is there");
    ok(real_inputs_missing("gone.csv"), "one that is not");
    ok(!workload_data_missing("data:here.csv"), "a workload that is there");
    ok(!workload_data_missing("data:here.csv:x=1,y=2"), "and its parameters");
    ok(workload_data_missing("data:gone.csv:x=1,y=2"), "one that is not");
    ok(!workload_data_missing("gone.csv"), "a file of another folder is no real input");
    ok(strstr(real_inputs_reason(), "./fetch_data --list") != NULL, "why: %s",
       real_inputs_reason());
    unlink(file);
    rmdir(folder);
    ok(!real_inputs_missing("here.csv"), "without the folder nothing is done without");
    free(file);
}

static void none(void)
{
    setenv("ARENABENCH_DATA", "", 1);
    folder_is(NULL, "an empty ARENABENCH_DATA: no folder");
    is_text(real_inputs_origin(), "none", "its origin");
    ok(real_inputs_missing("here.csv"), "every file is missing");
    ok(workload_data_missing("data:here.csv"), "every workload too");
    ok(strstr(real_inputs_reason(), "./fetch_data") != NULL &&
           strstr(real_inputs_reason(), "ARENABENCH_DATA") != NULL,
       "why: %s", real_inputs_reason());
}

/* The tree of this program may have been filled or not.  */
static void of_the_tree(void)
{
    char *tree = source_tree(), *data;
    struct stat status;
    bool any;

    unsetenv("ARENABENCH_DATA");
    if (!ok(tree != NULL, "a program in its build tree knows the source tree"))
        return;
    data = memory_printf("%s/fetch_data", tree);
    ok(access(data, X_OK) == 0, "which has fetch_data");
    free(data);
    data = memory_printf("%s/data", tree);
    any = stat(data, &status) == 0 && S_ISDIR(status.st_mode);
    folder_is(any ? data : NULL, "data/ of the tree where it is, else none");
    is_text(real_inputs_origin(), any ? "data/ of the source tree" : "none", "its origin");
    free(data);
    free(tree);
}

/* Whether SPEC is a file of TABLE, one of the tight instances, or the table of layers.  */
static bool can_be_had(const char *spec, const char *table)
{
    const char *file = spec + strlen("data:");
    char *row = memory_printf("\n%.*s\t", (int)strcspn(file, ":"), file);
    bool found = strstr(table, row) != NULL;
    int end = 0;

    sscanf(file, "tight/t%*[a-f]_%*[0-5].csv%n", &end);
    free(row);
    return found || (end > 0 && file[end] == '\0') ||
           strncmp(file, "convbench/layers.csv:", strlen("convbench/layers.csv:")) == 0;
}

/* Without a folder an experiment lists all real inputs that it names.  */
static void experiments(void)
{
    char *tree = source_tree(), *path = memory_printf("%s/build-aux/data.tsv", tree), *table;
    struct text_list names = {0};
    struct error error = {""};
    size_t length, count = 0;

    setenv("ARENABENCH_DATA", "", 1);
    if (!ok(file_read(path, 1 << 20, &table, &length, &error), "the table %s", error.text))
        table = memory_strdup("");
    ok(experiment_names(&names, &error) && names.n > 0, "experiments %s", error.text);
    for (size_t i = 0; i < names.n; i++) {
        struct experiment *experiment = experiment_read(names.text[i], &error);

        for (int size = 0; experiment != NULL && size < EXPERIMENT_SIZES; size++) {
            const struct text_list *list = &experiment->set[size].skipped;

            count += list->n;
            for (size_t s = 0; s < list->n; s++)
                if (!can_be_had(list->text[s], table))
                    ok(false, "%s: %s is in build-aux/data.tsv", names.text[i], list->text[s]);
        }
        experiment_free(experiment);
    }
    ok(count > 100, "%zu real inputs of experiments can be had", count);
    ok(!can_be_had("data:tight/tg_0.csv", table) && !can_be_had("data:ncnn/gone.param", table),
       "others can't");
    text_list_clear(&names);
    free(table);
    free(path);
    free(tree);
}

int main(void)
{
    named();
    none();
    of_the_tree();
    experiments();
    return tap_done();
}
