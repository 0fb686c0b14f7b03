/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve, compare, agree and conv at a terminal: they show how far they are, and an interrupt
 * keeps what there is.  The program runs with a terminal of its own; what it shows says
 * when to send a signal, so nothing here depends on time.  */
#include <config.h>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

/* Whoever waits for longer waits in vain.  */
static const double patience_s = 300.0;

/* 240 buffers: the first plan is there at once, the proof would take for ever.  */
#define HARD "tight:steps=100,cap=500,low=5,high=90,longest=30"
/* Planned at once; to look for a certificate takes many seconds.  */
#define PLANNED "uniform:n=1600"
/* A plan of it does not fit into a pipe.  */
#define LARGE "tight:steps=4000,cap=500,low=5,high=90,longest=30"

enum { MOST_ARGUMENTS = 12 };

/* The program while it runs.  */
struct running {
    pid_t pid;
    int terminal; /* its standard error: our side of a terminal, or of a pipe */
    char *shown;  /* on standard error so far */
    size_t length, capacity;
    int status; /* as wait() has it, when it has ended */
};

struct setting {
    const char *arguments; /* with single blanks between them */
    const char *out;       /* file for standard output; NULL: a pipe that nobody reads */
    bool piped;            /* standard error is no terminal */
    bool ignores_sigint;   /* as a job in the background does */
};

static char *program(void)
{
    const char *folder = getenv("top_builddir");

    return memory_printf("%s/arenabench", folder != NULL ? folder : ".");
}

static _Noreturn void become(const struct setting *setting, int out, int err)
{
    char *path = program(), *text = memory_strdup(setting->arguments), *state = NULL;
    char *argv[MOST_ARGUMENTS + 2] = {path};
    int count = 1;

    for (char *word = strtok_r(text, " ", &state); word != NULL && count <= MOST_ARGUMENTS;
         word = strtok_r(NULL, " ", &state))
        argv[count++] = word;
    /* A shell's background job, as this may be, ignores it.  */
    signal(SIGINT, setting->ignores_sigint ? SIG_IGN : SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv(path, argv);
    _exit(127);
}

/* Both ends of the program's standard error.  */
static bool open_error(const struct setting *setting, int *ours, int *theirs)
{
    int ends[2];

    if (!setting->piped)
        return openpty(ours, theirs, NULL, NULL, NULL) == 0;
    if (pipe(ends) != 0)
        return false;
    *ours = ends[0];
    *theirs = ends[1];
    return true;
}

static void start(struct running *run, const struct setting *setting)
{
    int err, out, unread[2] = {-1, -1};

    *run = (struct running){.terminal = -1};
    run->shown = memory_grow(NULL, &run->capacity, 1, 1);
    run->shown[0] = '\0';
    if (setting->out == NULL && pipe(unread) == 0)
        out = unread[1];
    else
        out = open(setting->out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out < 0 || !open_error(setting, &run->terminal, &err))
        tap_bail("standard output, or a terminal for it");
    fcntl(run->terminal, F_SETFD, FD_CLOEXEC);
    fcntl(unread[0], F_SETFD, FD_CLOEXEC);
    run->pid = tap_fork();
    if (run->pid == 0)
        become(setting, out, err);
    close(out);
    close(err);
    /* The pipe's other end stays open until this test program ends.  */
}

/* Takes what the program shows; false when there will be no more.  */
static bool take(struct running *run)
{
    struct pollfd ready = {run->terminal, POLLIN, 0};
    char block[4096];
    ssize_t got;

    if (poll(&ready, 1, (int)(1e3 * patience_s)) <= 0)
        return false;
    got = read(run->terminal, block, sizeof block);
    if (got <= 0) /* a terminal that nobody holds any more is an error */
        return false;
    run->shown = memory_grow(run->shown, &run->capacity, run->length + (size_t)got + 1, 1);
    memcpy(run->shown + run->length, block, (size_t)got);
    run->length += (size_t)got;
    run->shown[run->length] = '\0';
    return true;
}

static bool has_shown(const struct running *run, const char *text)
{
    return strstr(run->shown, text) != NULL;
}

/* Waits until the program shows TEXT.  */
static bool await_text(struct running *run, const char *text, const char *what)
{
    double end = timer_now() + patience_s;

    while (!has_shown(run, text) && timer_now() < end && take(run))
        continue;
    return ok(has_shown(run, text), "%s: it shows \"%s\"", what, text) ||
           (tap_diag("it shows: %s", run->shown), false);
}

/* Waits for the end, for which the program may not need for ever.  */
static void await_end(struct running *run)
{
    double end = timer_now() + patience_s;

    while (take(run) && timer_now() < end)
        continue;
    while (waitpid(run->pid, &run->status, WNOHANG) == 0) {
        if (timer_now() >= end)
            kill(run->pid, SIGKILL);
        poll(NULL, 0, 10);
    }
    close(run->terminal);
}

static void check_status(const struct running *run, int want, const char *what)
{
    ok(WIFEXITED(run->status) && WEXITSTATUS(run->status) == want, "%s: status %d", what, want) ||
        (tap_diag("it was %#x; it shows: %s", (unsigned)run->status, run->shown), false);
}

/* Waits for the end and looks at the status.  */
static void check_end(struct running *run, int want, const char *what)
{
    await_end(run);
    check_status(run, want, what);
    free(run->shown);
}

/* The whole file, which the caller frees.  */
static char *text_of(const char *path)
{
    struct error error = {""};
    char *text = NULL;
    size_t length;

    if (!file_read(path, 1 << 24, &text, &length, &error))
        tap_diag("%s", error.text);
    return text != NULL ? text : memory_strdup("");
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void check_plan(const char *instance, const char *path, const char *what)
{
    char *arguments = memory_printf("verify %s %s", instance, path);
    const struct setting setting = {arguments, "verify.out", true, false};
    struct running run;

    start(&run, &setting);
    check_end(&run, STATUS_DONE, what);
    free(arguments);
}

/* --- solve --- */

static void solve_keeps_its_plan(int number, const char *what)
{
    const struct setting setting = {"solve " HARD " --solver branch-and-bound --time-limit 0",
                                    "plan.csv", false, false};
    struct running run;

    start(&run, &setting);
    await_text(&run, "best peak ", what);
    ok(has_shown(&run, "lower bound ") && has_shown(&run, "0:0"), "%s: with bound and clock", what);
    kill(run.pid, number);
    await_end(&run);
    check_status(&run, 128 + number, what);
    ok(has_shown(&run, "arenabench: solve: interrupted\r\n"), "%s: it says so", what);
    check_plan(HARD, "plan.csv", what);
    free(run.shown);
}

/* As timeout does, which tells a program and then its process group.  */
static void solve_hears_twice(void)
{
    const struct setting setting = {"solve " HARD " --solver branch-and-bound --time-limit 0",
                                    "twice.csv", false, false};
    struct running run;

    start(&run, &setting);
    await_text(&run, "best peak ", "a signal twice");
    kill(run.pid, SIGTERM);
    await_text(&run, "(interrupted)", "a signal twice");
    kill(run.pid, SIGTERM);
    check_end(&run, 128 + SIGTERM, "a signal twice");
    check_plan(HARD, "twice.csv", "a signal twice");
}

static void solve_leaves_whole_files(void)
{
    const struct setting setting = {"solve " PLANNED
                                    " --solver greedy-by-size --time-limit 0 --output whole.csv "
                                    "--certificate proof.txt",
                                    "none.csv", false, false};
    char *left;
    struct running run;

    start(&run, &setting);
    await_text(&run, "certificate of ", "a certificate");
    kill(run.pid, SIGINT);
    await_end(&run);
    check_status(&run, 130, "a certificate");
    ok(has_shown(&run, "no certificate: interrupted"), "it says that there is none");
    check_plan(PLANNED, "whole.csv", "but there is a plan");
    ok(!exists("proof.txt"), "nothing stands in its place");
    left = memory_printf("proof.txt.%ld.new", (long)run.pid);
    ok(!exists(left), "or beside it");
    free(left);
    free(run.shown);
}

static void solve_without_a_plan(void)
{
    const struct setting setting = {"solve " HARD " --solver exec:yes>/dev/null --time-limit 0 "
                                    "--output early.csv",
                                    "none.csv", false, false};
    char *left;
    struct running run;

    start(&run, &setting);
    await_text(&run, "no plan yet", "no plan");
    kill(run.pid, SIGINT);
    await_end(&run);
    check_status(&run, 130, "no plan");
    ok(has_shown(&run, "interrupted before there was a plan"), "it says so");
    left = memory_printf("early.csv.%ld.new", (long)run.pid);
    ok(!exists("early.csv") && !exists(left), "and writes nothing");
    free(left);
    free(run.shown);
}

/* The first one makes it write its plan, into a pipe that nobody reads.  */
static void second_interrupt(void)
{
    const struct setting setting = {"solve " LARGE " --solver annealing --time-limit 0 "
                                    "--work-limit 1000000000",
                                    NULL, false, false};
    struct running run;

    start(&run, &setting);
    await_text(&run, "best peak ", "a second interrupt");
    kill(run.pid, SIGINT);
    await_text(&run, "(interrupted)", "a second interrupt");
    kill(run.pid, SIGINT);
    await_end(&run);
    ok(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGINT, "it ends the program at once") ||
        (tap_diag("it was %#x", (unsigned)run.status), false);
    free(run.shown);
}

/* Both signals are there when it looks; the one that is ignored would come first.  */
static void ignored_interrupt(void)
{
    const struct setting setting = {"solve " HARD " --solver branch-and-bound --time-limit 0",
                                    "ignored.csv", false, true};
    struct running run;

    start(&run, &setting);
    await_text(&run, "best peak ", "an ignored interrupt");
    kill(run.pid, SIGINT);
    kill(run.pid, SIGTERM);
    check_end(&run, 128 + SIGTERM, "it stays ignored, another signal counts");
}

static void no_terminal(void)
{
    const struct setting setting = {"solve " HARD " --solver branch-and-bound --time-limit 1",
                                    "piped.csv", true, false};
    struct running run;

    start(&run, &setting);
    await_end(&run);
    check_status(&run, STATUS_DONE, "no terminal, until the limit");
    ok(strchr(run.shown, '\r') == NULL && strchr(run.shown, '\033') == NULL, "no progress");
    ok(run.length > 0 && strchr(run.shown, '\n') == run.shown + run.length - 1, "one line") ||
        (tap_diag("it shows: %s", run.shown), false);
    free(run.shown);
}

/* --- compare, agree and conv --- */

/* The number of lines in TEXT; each has COMMAS of them and ends in a newline, else -1.  */
static int64_t count_lines(const char *text, int commas)
{
    int64_t lines = 0;

    while (*text != '\0') {
        const char *end = strchr(text, '\n');
        int found = 0;

        if (end == NULL)
            return -1;
        for (; text < end; text++)
            found += *text == ',';
        if (found != commas)
            return -1;
        lines++;
        text = end + 1;
    }
    return lines;
}

static void compare_keeps_its_rows(int64_t jobs)
{
    char *arguments = memory_printf("compare " HARD " --format csv --time-limit 0 --jobs %d "
                                    "--solvers naive,greedy-by-size,branch-and-bound,"
                                    "branch-and-bound:subset=off,sekiyama",
                                    (int)jobs);
    const struct setting setting = {arguments, "rows.csv", false, false};
    char *text, *what = memory_printf("compare with %d jobs", (int)jobs);
    struct running run;

    start(&run, &setting);
    await_text(&run, jobs == 1 ? "3/5 " : "4/5 ", what);
    await_text(&run, "best peak ", what);
    kill(run.pid, SIGINT);
    await_end(&run);
    check_status(&run, 130, what);
    ok(has_shown(&run, jobs == 1 ? "interrupted, with 3 of 5" : "interrupted, with 4 of 5"),
       "%s: it says so", what) ||
        (tap_diag("it shows: %s", run.shown), false);
    text = text_of("rows.csv");
    is_int(count_lines(text, 10), 2 + jobs + 1, "%s: the rows so far", what);
    ok(strstr(text, "\ngreedy-by-size,feasible,") != NULL, "%s: who had ended", what);
    ok(strstr(text, "\nbranch-and-bound,timeout,") != NULL &&
           strstr(text, ",interrupted,\n") != NULL,
       "%s: who was at work", what);
    ok(strstr(text, "sekiyama") == NULL, "%s: not who had not begun", what);
    free(text);
    free(run.shown);
    free(arguments);
    free(what);
}

/* Whether a status line has counted an instance on which they differ.  */
static bool has_parted(const struct running *run)
{
    for (const char *at = run->shown; (at = strstr(at, " differ")) != NULL; at++)
        if (at >= run->shown + 2 && strncmp(at - 2, " 0", 2) != 0)
            return true;
    return false;
}

static void agree_keeps_what_it_found(void)
{
    const struct setting setting = {"agree greedy-by-size first-fit-by-size 2000000000",
                                    "parted.csv", false, false};
    double end = timer_now() + patience_s;
    struct running run;
    char *text;

    start(&run, &setting);
    await_text(&run, "/2000000000 ", "agree");
    while (!has_parted(&run) && timer_now() < end && take(&run))
        continue;
    kill(run.pid, SIGINT);
    await_end(&run);
    check_status(&run, 130, "agree");
    ok(has_shown(&run, ": the same offsets on ") && has_shown(&run, "agree: interrupted after "),
       "agree: it says on how many") ||
        (tap_diag("it shows: %s", run.shown), false);
    text = text_of("parted.csv");
    ok(count_lines(text, 6) >= 3, "agree: where they part, with both offsets");
    free(text);
    free(run.shown);
}

static void conv_keeps_its_rows(void)
{
    const struct setting setting = {"conv two.layers --kernel mgemm --isa generic --rounds 25 "
                                    "--format csv",
                                    "conv.csv", false, false};
    FILE *layers = fopen("two.layers", "w");
    struct running run;
    char *text;

    fputs("small c=4,h=6,w=6,k=4,r=3,s=3\nlarge c=512,h=64,w=64,k=512,r=3,s=3,pad=1\n", layers);
    fclose(layers);
    start(&run, &setting);
    await_text(&run, "layer 2/2 ", "conv");
    kill(run.pid, SIGINT);
    await_end(&run);
    check_status(&run, 130, "conv");
    ok(has_shown(&run, "interrupted in layer 2 of 2"), "it says so");
    ok(!has_shown(&run, "crashed") && !has_shown(&run, "hung"), "and blames no kernel");
    text = text_of("conv.csv");
    is_int(count_lines(text, 29), 2, "the rows so far");
    ok(strstr(text, "\nsmall,mgemm,") != NULL, "are those of the first layer");
    free(text);
    free(run.shown);
}

static void conv_stops_tuning(void)
{
    const struct setting setting = {"conv c=64,h=56,w=56,k=64,r=3,s=3 --isa generic "
                                    "--rounds 100000 --tune sweep --format csv",
                                    "tune.csv", false, false};
    struct running run;
    char *text;

    start(&run, &setting);
    await_text(&run, " setting", "tuning");
    await_text(&run, "best ", "tuning");
    kill(run.pid, SIGINT);
    await_end(&run);
    check_status(&run, 130, "tuning");
    text = text_of("tune.csv");
    is_int(count_lines(text, 29), 1, "a header and no row");
    free(text);
    free(run.shown);
}

/* A root without devpts has none to give.  */
static bool has_terminals(void)
{
    int ours, theirs;

    if (openpty(&ours, &theirs, NULL, NULL, NULL) != 0)
        return false;
    close(ours);
    close(theirs);
    return true;
}

int main(void)
{
    if (!has_terminals()) {
        tap_skip(1, "no pseudo-terminal can be had here");
        return tap_done();
    }
    scratch_enter();
    solve_keeps_its_plan(SIGINT, "an interrupt");
    solve_keeps_its_plan(SIGTERM, "a request to end");
    solve_hears_twice();
    solve_leaves_whole_files();
    solve_without_a_plan();
    second_interrupt();
    ignored_interrupt();
    no_terminal();
    compare_keeps_its_rows(1);
    compare_keeps_its_rows(2);
    agree_keeps_what_it_found();
    conv_keeps_its_rows();
    conv_stops_tuning();
    scratch_leave();
    return tap_done();
}
