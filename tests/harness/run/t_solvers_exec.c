/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec:COMMAND through the harness: good planners, bad ones, and pipes that
 * are larger than what the system buffers.  */
#include <config.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/instance.h"
#include "solvers/program/answer.h"
#include "solvers/program/tail.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"

/* N buffers named 0, 1, ... of 10 bytes that all live together.  */
static struct instance *pile(size_t n, int64_t alignment)
{
    struct instance *instance = instance_new("pile");

    for (size_t i = 0; i < n; i++) {
        char id[24];

        snprintf(id, sizeof id, "%zu", i);
        instance_add(instance, id, 0, 5, 10, alignment);
    }
    instance_add(instance, "nothing", 0, 1, 0, 1);
    return sealed(instance);
}

/* A run that is to end as WANT, with REASON in its reason.  */
static struct run_result *run(const struct instance *instance, const char *command, double time_s,
                              enum outcome want, const char *reason, const char *what)
{
    char *spec = memory_printf("exec:%s", command);
    struct run_result *result = spec_run(spec, instance, &(struct run_limits){.time_s = time_s});

    is_outcome(result, want, what);
    if (!ok(strstr(result->reason, reason) != NULL, "%s: the reason", what))
        tap_diag("'%s' lacks '%s'", result->reason, reason);
    free(spec);
    return result;
}

/* Stacks all buffers: offset = sum of the sizes before.  Column 4 is the size
 * in the CSV that arenabench writes.  */
#define STACK                                                                 \
    "awk -F, 'NR == 1 { print \"id,offset\"; next } $4 > 0 { print $1 \",\" " \
    "top + 0; top += $4 }'"

static const struct attempt {
    const char *what, *command;
    enum outcome outcome;
    const char *reason; /* part of it */
    double time_s;      /* limit; 0: none */
} attempts[] = {
    {"a planner that stacks", STACK, OUTCOME_OPTIMAL, "", 0},
    {"one that fails after its plan", STACK "; exit 3", OUTCOME_OPTIMAL, "ended with status 3", 0},
    {"one that prints garbage", "echo all is well", OUTCOME_INVALID, "all is well", 0},
    {"one that prints half a plan", STACK " | head -3", OUTCOME_INVALID, "answer", 0},
    {"an unknown id", STACK "; echo who,7", OUTCOME_INVALID, "who", 0},
    {"an id twice", STACK "; echo 0,70", OUTCOME_INVALID, "'0'", 0},
    {"offsets that overlap", STACK " | sed '2,$s/,.*/,0/'", OUTCOME_INVALID, "", 0},
    {"a negative offset", STACK " | sed 's/^0,0/0,-5/'", OUTCOME_INVALID, "negative", 0},
    {"one that answers with the instance", "cat", OUTCOME_INVALID, "offset", 0},
    {"one that prints nothing", "cat >/dev/null", OUTCOME_CRASHED, "no answer", 0},
    {"one that fails", "exit 7", OUTCOME_CRASHED, "status 7", 0},
    {"one that dies", "kill -9 $$", OUTCOME_CRASHED, "signal 9", 0},
    {"one that dies in the middle", "echo id,offset; echo 0,; kill -9 $$", OUTCOME_CRASHED,
     "signal 9", 0},
    {"one that does not exist", "/nowhere/planner 2>/dev/null", OUTCOME_CRASHED, "status 127", 0},
    {"one that never ends its answer", "yes a,5 | sed 's/^/id,/'", OUTCOME_INVALID, "a header", 0},
    {"one that never ends a row", "tr '\\0' x </dev/zero", OUTCOME_INVALID, "too long", 0},
    {"one that never ends a plan", STACK "; yes nothing,0", OUTCOME_INVALID, "too long", 0},
    {"one that hangs", "sleep 60", OUTCOME_TIMEOUT, "", 0.2},
    {"one that hangs after its plan", STACK "; sleep 60", OUTCOME_OPTIMAL, "still running", 2},
    {"one that closes its output and hangs", STACK "; exec >&-; sleep 60", OUTCOME_OPTIMAL,
     "still running", 1},
    {"one that says why it fails", "echo first >&2; echo 'no luck  ' >&2; echo >&2; exit 7",
     OUTCOME_CRASHED, "the command ended with status 7: no answer; it said: no luck", 0},
    {"one that says why it has no plan", "echo no luck >&2", OUTCOME_CRASHED,
     "no answer; it said: no luck", 0},
    {"one that says why its answer is none", "echo no luck >&2; echo all is well", OUTCOME_INVALID,
     "; it said: no luck", 0},
    {"one that says why it dies", "echo no luck >&2; kill -9 $$", OUTCOME_CRASHED,
     "signal 9 (Killed): no answer; it said: no luck", 0},
    {"one that says why it fails after its plan", STACK "; echo no luck >&2; exit 3",
     OUTCOME_OPTIMAL, "ended with status 3; it said: no luck", 0},
    {"one that does not exist", "/nowhere/planner", OUTCOME_CRASHED,
     "status 127: no answer; it said: ", 0},
    {"one that talks all the time", "while :; do echo busy >&2; done", OUTCOME_TIMEOUT,
     "the command was still running; it said: busy", 0.2},
    {"one that talks in one line", "yes | tr -d '\\n' >&2", OUTCOME_TIMEOUT,
     "still running; it said: yyyyyyyy", 0.2},
    {"one that talks more than a pipe holds after its plan",
     STACK "; exec >&-; yes | head -c 10000000 >&2; echo no luck >&2; exit 3", OUTCOME_OPTIMAL,
     "status 3; it said: no luck", 0},
    {"one that talks all the time after its plan", STACK "; exec >&-; exec yes busy >&2",
     OUTCOME_OPTIMAL, "still running; it said: busy", 0.5},
    {"one that is killed in the middle of a line",
     STACK "; exec >&-; printf 'busy\nb' >&2; exec sleep 100", OUTCOME_OPTIMAL,
     "still running; it said: busy", 0.5},
    {"one whose child goes on talking", "yes busy >&2 & exit 7", OUTCOME_CRASHED,
     "status 7: no answer", 0},
};

static void outcomes(void)
{
    struct instance *instance = pile(4, 1);

    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        const struct attempt *attempt = &attempts[i];
        const struct run_result *result = run(instance, attempt->command, attempt->time_s,
                                              attempt->outcome, attempt->reason, attempt->what);

        ok(result->rss_bytes < INT64_C(1) << 28, "%s: what it says is not kept", attempt->what);
        if (attempt->outcome == OUTCOME_OPTIMAL)
            is_int(result->plan->peak, 40, "%s: peak", attempt->what);
    }
    instance_free(instance);
}

/* A plan for each of GAPS, apart by blanks: buffer I of the four at I times the gap, with a
 * peak of 10 more than three times that.  */
#define PLANS(gaps)                                                                              \
    "awk -F, 'NR > 1 && $4 > 0 { id[n++] = $1 } END { split(\"" gaps "\", gap, \" \");         \
    for (g = 1; g in gap; g++) { print \"id,offset\"; for (i = 0; i < n; i++) print id[i] \"," \
    "\" i * gap[g] } }'"

/* What a program that writes several plans comes to.  */
static const struct course {
    const char *what, *command;
    enum outcome outcome;
    const char *reason; /* part of it */
    double time_s;      /* limit; 0: none */
    const char *peaks;  /* of the incumbents */
    int64_t second;     /* offset of the second buffer in the plan that is kept */
} courses[] = {
    {"better and better plans", PLANS("20 15 10"), OUTCOME_OPTIMAL, "", 0, "70 55 40 ", 10},
    {"empty lines between them", PLANS("20 15 10") " | sed '1!s/^id/\\n\\n&/'", OUTCOME_OPTIMAL, "",
     0, "70 55 40 ", 10},
    {"rows that end as in DOS", PLANS("20 10") " | sed 's/$/\\r/'", OUTCOME_OPTIMAL, "", 0,
     "70 40 ", 10},
    {"the empty buffer anywhere", PLANS("20 10") " | sed 's/^1,.*/nothing,7\\n&/'", OUTCOME_OPTIMAL,
     "", 0, "70 40 ", 10},
    {"a worse plan in the end", PLANS("12 20"), OUTCOME_FEASIBLE, "", 0, "46 ", 12},
    {"an equal plan in the end", PLANS("12") "; printf 'id,offset\n3,0\n2,12\n1,24\n0,36\n'",
     OUTCOME_FEASIBLE, "", 0, "46 ", 24},
    {"a limit after the second plan", PLANS("20 12") "; sleep 60", OUTCOME_TIMEOUT, "still running",
     2, "70 46 ", 12},
    {"a limit in a third plan", PLANS("20 12") "; printf 'id,offset\n0,0\n1,10\n'; sleep 60",
     OUTCOME_TIMEOUT, "still running", 2, "70 46 ", 12},
    {"a limit in a row", PLANS("20 12") "; printf 'id,offset\n0,0\n1,1'; sleep 60", OUTCOME_TIMEOUT,
     "still running", 2, "70 46 ", 12},
    {"a limit in a header", PLANS("20 12") "; printf id,of; sleep 60", OUTCOME_TIMEOUT,
     "still running", 2, "70 46 ", 12},
    {"a death in a second plan", PLANS("20") "; printf 'id,offset\n0,0\n'; kill -9 $$",
     OUTCOME_FEASIBLE, "signal 9", 0, "70 ", 20},
    {"a failure in a second plan", PLANS("20") "; printf 'id,offset\n0,0\n'; exit 3",
     OUTCOME_FEASIBLE, "status 3", 0, "70 ", 20},
    {"a second plan that lacks buffers", PLANS("20") "; printf 'id,offset\n0,0\n'", OUTCOME_INVALID,
     "plan 2 of the command's answer:3:1: the plan ends without", 0, "70 ", 20},
    {"a plan that lacks buffers before another", "printf 'id,offset\n0,0\n'; " PLANS("20"),
     OUTCOME_INVALID, "the command's answer:3:1: the plan ends without", 0, "", -1},
    {"an overlap in a plan that another follows", PLANS("20 9 10"), OUTCOME_INVALID, "plan 2: ", 0,
     "70 ", 20},
    {"another header", PLANS("20") "; printf 'offset,id\n'", OUTCOME_INVALID,
     "it has no buffer 'offset'", 0, "70 ", 20},
};

static bool count_plan(void *context, const struct plan *plan, struct error *error)
{
    size_t *plans = context;

    (void)plan;
    (void)error;
    (*plans)++;
    return true;
}

/* After which lines of TEXT a plan of two buffers 0 and 1, and an empty one, is known.  */
static void known_after(const char *text, const char *lines, const char *what)
{
    struct instance *instance = pile(2, 1);
    size_t plans = 0, line = 0;
    char known[100] = "";
    struct answer answer;

    answer_start(&answer, instance, 1000, count_plan, &plans);
    for (size_t at = 0, length, before; text[at] != '\0'; at += length) {
        before = plans;
        length = strcspn(text + at, "\n") + 1;
        line++;
        if (!answer_add(&answer, text + at, length, NULL))
            break;
        if (plans > before)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%zu ", line);
    }
    is_text(known, lines, "known after lines: %s", what);
    answer_clear(&answer);
    instance_free(instance);
}

static void known_at_once(void)
{
    known_after("id,offset\n0,0\n1,10\n", "3 ", "a plan");
    known_after("id,offset\n0,0\n1,10\nid,offset\n0,10\n1,0\n", "3 6 ", "two");
    known_after("id,offset\n0,0\n1,10\nnothing,0\nid,offset\n\n\n", "3 ",
                "a row of nothing behind it");
    known_after("id,offset\nnothing,0\n0,0\n1,10\nid,offset\n1,0\nnothing,0\n0,10\n", "4 8 ",
                "a row of nothing in it");
    known_after("id,offset\n0,0\nid,offset\n0,0\n1,10\n", "", "half of one before another");
}

static char *incumbents(const struct run_result *result)
{
    char *text = memory_strdup("");

    for (size_t i = 0; i < result->n_events; i++)
        if (result->event[i].kind == RUN_INCUMBENT)
            text = memory_append(text, "%" PRId64 " ", result->event[i].value);
    return text;
}

static void several_plans(void)
{
    struct instance *instance = pile(4, 1);

    for (size_t i = 0; i < sizeof courses / sizeof courses[0]; i++) {
        const struct course *course = &courses[i];
        const struct run_result *result = run(instance, course->command, course->time_s,
                                              course->outcome, course->reason, course->what);
        char *peaks = incumbents(result);

        is_text(peaks, course->peaks, "%s: incumbents", course->what);
        is_int(result->plan == NULL ? -1 : result->plan->offset[1], course->second,
               "%s: what is kept", course->what);
        free(peaks);
    }
    instance_free(instance);
}

/* 40,000 rows are several times what a pipe holds, either way.  */
static void large_answers(void)
{
    static const struct {
        const char *what, *command;
        enum outcome outcome;
    } large[] = {
        {"answering while it reads", STACK, OUTCOME_OPTIMAL},
        {"answering after it has read all", "tac | tac | " STACK, OUTCOME_OPTIMAL},
        {"answering without reading",
         "awk 'BEGIN { print \"id,offset\"; for (i = 0; i < 40000; i++) print i \",\" 10 * i }'",
         OUTCOME_OPTIMAL},
        {"answering, then reading",
         "awk 'BEGIN { print \"id,offset\"; for (i = 0; i < 40000; i++) print i \",\" 10 * i "
         "}';cat >/dev/null",
         OUTCOME_OPTIMAL},
        {"answering twenty times",
         "awk 'BEGIN { while (k++ < 20) { print \"id,offset\"; for (i = 0; i < 40000; i++) print i "
         "\",\" (10 + 20 - k) * i } }'",
         OUTCOME_OPTIMAL},
        {"not reading, not answering", "exec <&-", OUTCOME_CRASHED},
    };
    struct instance *instance = pile(40000, 1);

    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        run(instance, large[i].command, 60, large[i].outcome, "", large[i].what);
    instance_free(instance);
}

static void what_it_sees(void)
{
    struct instance *aligned = pile(2, 16);
    const struct run_result *result =
        run(aligned,
            "read -r header; test \"$header\" = id,lower,upper,size,alignment || exit 9; echo "
            "offset,id; echo 0,1; echo 16,0",
            60, OUTCOME_FEASIBLE, "", "alignments are in the question");

    is_int(result->plan == NULL ? -1 : result->plan->offset[0], 16, "columns in any order");
    run(aligned, STACK, 60, OUTCOME_INVALID, "", "a misaligned plan is refused");
    instance_free(aligned);
}

/* Bytes in use that do not lie together are more than a gap can say.  */
static void what_lies_between(void)
{
    static const struct piece piece[] = {
        {.begin = 0, .end = 4, .lo = 0, .hi = 16, .tensor = true},
        {.begin = 4, .end = 6, .lo = 0, .hi = 4, .tensor = true},
        {.begin = 4, .end = 6, .lo = 12, .hi = 16, .tensor = true},
        {.begin = 6, .end = 7, .lo = 0, .hi = 4, .tensor = true},
    };
    struct instance *instance = instance_new("apart");

    instance_add_pieces(instance, "a", piece, 4, 1);
    instance = sealed(instance);
    run(instance,
        "shapes=on,command=read -r header; read -r row; test \"$header $row\" = "
        "'id,lower,upper,size,gaps a,0,7,16,6-7@0:4' || exit 9; printf 'id,offset\na,0\n'",
        60, OUTCOME_OPTIMAL, "", "bytes between bytes in use are in use too");
    instance_free(instance);
}

/* In this very process: what it does to signals must not last.  */
static void signals(void)
{
    const struct solver *solver = solver_find("exec")->solver;
    struct instance *instance = pile(40000, 1);
    struct plan *plan = plan_new(instance);
    struct params params;
    struct solver_env env = {.params = &params, .seed = 1};
    sigset_t mask, pending;

    if (!params_raw(&params, "exec", solver->params, "exec <&- >&-", &(struct error){""}))
        abort();
    is_text(outcome_name(solver->solve(instance, &env, plan)), "crashed",
            "a command that closes both ends");
    sigprocmask(SIG_SETMASK, NULL, &mask);
    sigpending(&pending);
    ok(!sigismember(&mask, SIGPIPE) && !sigismember(&pending, SIGPIPE),
       "no trace of SIGPIPE afterwards");
    params_clear(&params);
    plan_free(plan);
    instance_free(instance);
}

/* The last line of TEXT, given in pieces of STEP bytes, in SIZE bytes.  */
static void check_line(const char *text, bool cut, size_t step, size_t size, const char *want,
                       const char *what)
{
    struct tail tail = {.length = 0};
    size_t length = strlen(text);
    char line[200];

    for (size_t at = 0; at < length; at += step)
        tail_add(&tail, text + at, at + step <= length ? step : length - at);
    tail_last_line(&tail, cut, line, size);
    is_text(line, want, "last line, %zu bytes at a time: %s", step, what);
}

static void last_lines(void)
{
    static const struct {
        const char *what, *text, *want;
        size_t size;
    } lines[] = {
        {"nothing", "", "", 200},
        {"empty lines only", "\n \n\r\n\t", "", 200},
        {"without an end", "one\ntwo", "two", 200},
        {"blanks around it", "one\n\t two \r\n\n", "two", 200},
        {"progress", "10 %\r90 %\r100 %", "100 %", 200},
        {"what a terminal would obey", "\033[31mred\033[0m\x7f\001", "?[31mred?[0m??", 200},
        {"a control character of two bytes",
         "a\xc2\x9b"
         "31mb",
         "a??31mb", 200},
        {"other alphabets", "\xd0\xb4\xd0\xb0 \xe6\x97\xa5", "\xd0\xb4\xd0\xb0 \xe6\x97\xa5", 200},
        {"what is no UTF-8", "a\xff\xd0", "a??", 200},
        {"a tab within", "a\tb", "a b", 200},
        {"just room", "123456", "123456", 10},
        {"too long", "1234567", "123456...", 10},
        {"a cut before a whole character", "12345\xd0\xb4", "12345...", 10},
    };
    struct tail tail = {.length = 0};
    char line[20];

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        check_line(lines[i].text, false, 1, lines[i].size, lines[i].want, lines[i].what);
        check_line(lines[i].text, false, 1000, lines[i].size, lines[i].want, lines[i].what);
    }
    check_line("one\n\ntwo\nthr", true, 3, 200, "two", "of a text that was cut, a whole one");
    check_line("one\n\n ", true, 3, 200, "one", "of one that was cut after it");
    check_line("\nthr", true, 3, 200, "thr", "of one that was cut in its first");
    for (int i = 0; i < 100000; i++) {
        char number[16];

        snprintf(number, sizeof number, "%d\n", i);
        tail_add(&tail, number, strlen(number));
    }
    tail_last_line(&tail, false, line, sizeof line);
    is_text(line, "99999", "the last of 100,000 lines");
    ok(tail.length <= sizeof tail.text, "of which few are kept");
}

int main(void)
{
    outcomes();
    known_at_once();
    several_plans();
    large_answers();
    what_it_sees();
    what_lies_between();
    signals();
    last_lines();
    return tap_done();
}
