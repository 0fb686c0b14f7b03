/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace: what an allocator did as it was recorded, and what static planning would have needed.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/trace_picture.h"
#include "harness/cli/trace_rows.h"
#include "harness/io/expand.h"
#include "harness/io/gnuplot.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/picture.h"
#include "harness/io/table.h"
#include "harness/run/contestants.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "lib/problem/plan.h"
#include "traces/trace.h"

/* Who plans where nobody says it: statically, and as allocators do, event by event.  */
static const char planners[] = "section-first@1s,branch-and-bound@2s,@online";
static const char unlimited[] = "section-first,branch-and-bound,@online";

#define TIME_LIMIT 10.0

struct request {
    struct trace_run run;
    const char *pool, *output, *save, *format; /* format: of the picture */
    struct text_list solvers;
    double time_s; /* NAN: not given */
    enum table_format table;
};

/* --- what is read --- */

static struct trace *read_file(const char *path)
{
    struct error error;
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    struct trace *trace;

    if (in == NULL) {
        complain("trace: %s: cannot open: %m", path);
        return NULL;
    }
    trace = trace_read(in, path, &error);
    if (in != stdin)
        fclose(in);
    if (trace == NULL)
        complain("trace: %s", error.text);
    return trace;
}

/* The names of all pools, as far as a message has room.  */
static char *pool_names(const struct trace *trace)
{
    char *names = memory_strdup("");

    for (size_t p = 0; p < trace->n_pools && strlen(names) < 200; p++)
        names = memory_append(names, "%s'%.60s'", p == 0 ? "" : ", ", trace->pool[p].name);
    return names;
}

/* Sets the pools from FIRST to before END that are asked for.  */
static bool choose_pools(const struct request *request, const struct trace *trace, size_t *first,
                         size_t *end)
{
    const bool one = request->output != NULL || request->save != NULL;
    char *names;

    *first = 0;
    *end = trace->n_pools;
    for (size_t p = 0; request->pool != NULL && p < trace->n_pools; p++)
        if (strcmp(trace->pool[p].name, request->pool) == 0) {
            *first = p;
            *end = p + 1;
            return true;
        }
    if (trace->n_pools == 0)
        return complain("trace: %s: no events; expected one or more", trace->name);
    if (request->pool == NULL && (!one || trace->n_pools == 1))
        return true;
    names = pool_names(trace);
    if (request->pool != NULL)
        complain("trace: %s: no pool '%s'; expected one of %s", trace->name, request->pool, names);
    else
        complain("trace: %s: %zu pools; expected --pool with the one to %s, of %s", trace->name,
                 trace->n_pools, request->save != NULL ? "save" : "draw", names);
    memory_free(names);
    return false;
}

/* --- files that are written --- */

static int save(const char *path, const struct instance *instance)
{
    struct output output;
    struct error error;
    bool good;

    if (!output_open(&output, path, &error))
        return complain_as(STATUS_USAGE, "trace: %s", error.text);
    good = instance_csv_write(output.file, instance);
    return output_close(&output, good, &error) && good
               ? STATUS_DONE
               : complain_as(STATUS_FAILED, "trace: %s", error.text);
}

static int draw(const struct request *request, const struct trace_pool_answer *answer)
{
    const struct trace_picture picture = {.trace = request->run.trace,
                                          .pool = answer->pool,
                                          .recorded = answer->closed,
                                          .title = answer->instance->name,
                                          .planner = answer->best_label,
                                          .best = answer->best};
    struct output output;
    struct error error;
    bool good;

    if (!gnuplot_found())
        return complain_as(STATUS_FAILED, "trace: gnuplot is not installed");
    if (!output_open(&output, request->output, &error))
        return complain_as(STATUS_USAGE, "trace: %s", error.text);
    good = trace_picture_draw(&picture, request->format, output.file, &error);
    return output_close(&output, good, &error) && good
               ? STATUS_DONE
               : complain_as(STATUS_FAILED, "trace: %s", error.text);
}

/* --- the command --- */

static int answer_pools(struct request *request, size_t first, size_t end)
{
    struct table *table = trace_table();
    struct trace_pool_answer *answer = memory_zalloc(end - first, sizeof *answer);
    int status = STATUS_DONE;

    for (size_t p = first; p < end && status == STATUS_DONE; p++) {
        status = trace_answer(&request->run, p, &answer[p - first]);
        if (status == STATUS_DONE)
            trace_add_rows(table, &request->run, &answer[p - first]);
    }
    if (status == STATUS_DONE && request->save != NULL)
        status = save(request->save, answer[0].instance);
    if (status == STATUS_DONE && request->output != NULL)
        status = draw(request, &answer[0]);
    if (status == STATUS_DONE) {
        status = table_finish(table, request->table);
        for (size_t p = first; p < end; p++)
            trace_say(request->table == TABLE_TEXT ? stdout : stderr, &request->run,
                      &answer[p - first]);
        for (size_t p = first; p < end; p++)
            status = answer[p - first].bad ? STATUS_FAILED : status;
    } else {
        table_free(table);
    }
    for (size_t p = first; p < end; p++)
        trace_answer_clear(&answer[p - first]);
    memory_free(answer);
    return status;
}

static int answer_file(struct request *request, const char *path)
{
    struct contestants contestants;
    struct trace *trace;
    size_t first, end;
    struct error error = {""};
    int status = STATUS_USAGE;

    if (!contestants_of_lists(&contestants, &request->solvers,
                              isnan(request->time_s) ? planners : unlimited, &error))
        return complain_as(STATUS_USAGE, "trace: %s", error.text);
    trace = read_file(path);
    request->run.trace = trace;
    request->run.contestants = &contestants;
    if (trace != NULL && choose_pools(request, trace, &first, &end))
        status = answer_pools(request, first, end);
    trace_free(trace);
    contestants_clear(&contestants);
    return status;
}

static const char summary[] =
    "Reads the allocations and releases that a program made, and says what they needed at once,\n"
    "what their addresses span, and what plans need that know the future (section-first for 1 s\n"
    "and branch-and-bound for 2 s) or don't (@online: allocators).  FILE is CSV\n"
    "(time,event,address,size[,pool][,stream]), a Chrome trace of torch.profiler, a memory\n"
    "snapshot of torch.cuda.memory as JSON, or what glibc's mtrace writes; -: standard input.\n"
    "What was there before the first event or after the last one keeps these as its times.\n"
    "Each pool, device and stream is planned on its own.  Exit status 1: a plan was invalid\n"
    "or a solver crashed.";

int command_trace(int argc, char **argv)
{
    struct request request = {.time_s = NAN, .table = TABLE_TEXT};
    int64_t seed = 1;
    const struct option_spec options[] = {
        {"solvers", OPTION_LIST, &request.solvers, "A,B:KEY=VALUE,...", "these instead", 0, 0},
        {"time-limit", OPTION_SECONDS, &request.time_s, "SECONDS",
         "each solver without one of its own (default 10); 0: none", 0, 1e9},
        {"pool", OPTION_TEXT, &request.pool, "NAME", "this pool, device or stream alone", 0, 0},
        {"save", OPTION_TEXT, &request.save, "FILE",
         "write the instance as CSV, for all other commands", 0, 0},
        {"output", OPTION_TEXT, &request.output, "FILE",
         "draw what was in use over time: FILE.svg, .png or .pdf", 0, 0},
        {"seed", OPTION_INT, &seed, "N", "for solvers that draw random numbers", 1, UINT32_MAX},
        {"format", OPTION_FORMAT, &request.table, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {"trace", "FILE", summary, options, 1, 1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status < 0) {
        request.run.limits.time_s = isnan(request.time_s) ? TIME_LIMIT : request.time_s;
        request.run.seed = (uint32_t)seed;
        request.format = picture_still_format(request.output);
        status = request.format != NULL
                     ? answer_file(&request, arguments[0])
                     : complain_as(STATUS_USAGE,
                                   "trace: --output %s: the name must end in .svg, .png or .pdf",
                                   request.output);
    }
    text_list_clear(&request.solvers);
    return status;
}
