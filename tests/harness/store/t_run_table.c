/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of runs: what is written, what is read back, and what is refused where.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/run_table.h"
#include "lib/base/memory.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

#define HEADER "experiment,workload,solver,seed,repetition,outcome,checksum,peak,bound\n"
#define CHECKSUM "06e1c9b1bd4e2e52"

static bool read_text(struct run_table *table, const char *text, struct error *error)
{
    FILE *in = scratch_text(text);
    bool good = run_table_read(table, in, "runs.csv", error);

    fclose(in);
    return good;
}

static char *written(struct run_table *table)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    run_table_write(out, table);
    memory_stream_close(out);
    return text;
}

static void writing(void)
{
    static char batch[] = "batch", workload[] = "a:b=1,c=2", solver[] = " 50%;\n\xC3\xA9";
    static char first[] = "anytime", optimal[] = "optimal", cut[] = RUN_CUT;
    const struct run runs[] = {
        {batch, workload, solver, 1, 2, optimal, CHECKSUM, 7, 5, 0},
        {first, workload, solver, -1, 1, cut, CHECKSUM, RUN_NONE, RUN_NONE, 0},
        {batch, workload, solver, 1, 1, optimal, CHECKSUM, 0, RUN_NONE, 0},
    };
    struct run_table table = {0}, again = {0};
    char *text;

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        run_table_add(&table, &runs[i]);
    text = written(&table);
    is_text(text,
            HEADER "anytime,a:b=1;c=2,%2050%25%3B%0A%C3%A9,-1,1,cut," CHECKSUM ",,\n"
                   "batch,a:b=1;c=2,%2050%25%3B%0A%C3%A9,1,1,optimal," CHECKSUM ",0,\n"
                   "batch,a:b=1;c=2,%2050%25%3B%0A%C3%A9,1,2,optimal," CHECKSUM ",7,5\n",
            "runs stand in order, commas as semicolons");
    ok(read_text(&again, text, NULL) && again.count == 3, "they are read back");
    if (again.count == 3) {
        is_text(again.row[2].workload, workload, "with the workload's comma");
        is_text(again.row[2].solver, solver, "with what would not stand in a cell");
        ok(again.row[0].peak == RUN_NONE && again.row[1].peak == 0 &&
               again.row[1].bound == RUN_NONE,
           "no peak is not a peak of 0");
        is_int(again.row[0].seed, -1, "with a negative seed");
    }
    run_table_clear(&again);
    run_table_clear(&table);
    free(text);
}

static void refusing(void)
{
    static const struct {
        const char *rows, *message;
    } cases[] = {
        {"a,w,s,1,1,optimal,06e1,4,4\n",
         "runs.csv:2:19: checksum '06e1'; expected 16 digits 0-9, a-f"},
        {"a,w,s,1,1,optimal," CHECKSUM ",-4,4\n", "runs.csv:2:36: "},
        {"a,w,s,x,1,optimal," CHECKSUM ",4,4\n", "runs.csv:2:7: "},
        {"a,w,s,1,1,cut," CHECKSUM ",,4\n",
         "runs.csv:2:33: a run that was cut has no peak and no bound; expected nothing"},
        {"a,w,,1,1,optimal," CHECKSUM ",4,4\n", "runs.csv:2:5: solver is empty"},
        {"a,w%3,s,1,1,optimal," CHECKSUM ",4,4\n",
         "runs.csv:2:4: workload has a % without a number; expected %01 to %FF"},
        {"a,w,s,1,1,optimal," CHECKSUM ",4\n", "runs.csv:2:"},
        {"b,w,s,1,1,cut," CHECKSUM ",,\na,w,s,1,1,cut," CHECKSUM ",,\nb,w,s,1,1,optimal," CHECKSUM
         ",4,4\n",
         "runs.csv:4: the run of line 2 again; expected each run once"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct run_table table;
        struct error error = {""};
        char text[512];

        snprintf(text, sizeof text, HEADER "%s", cases[i].rows);
        ok(!read_text(&table, text, &error) &&
               strncmp(error.text, cases[i].message, strlen(cases[i].message)) == 0,
           "refused: %s", error.text);
    }
}

int main(void)
{
    writing();
    refusing();
    return tap_done();
}
