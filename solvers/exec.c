/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec: a planner of the user's own, as a program.
 *
 * `/bin/sh -c COMMAND` gets the instance as CSV (id,lower,upper,size and, where
 * one is above 1, alignment; half-open lifetimes) on standard input, the seed and the limits
 * in its environment (solvers/program/launch.h), and answers with a plan as CSV (at least id and
 * offset) on standard output; what it says on standard error is read to the end and forgotten, but
 * for the last line, which the note of a failure quotes.  All pipes are served together, so it may
 * answer before it has read all, or without reading at all.
 *
 * Source: the user's.  Complexity and guarantee: the command's.  A plan is judged
 * like any other, and as soon as it is whole: the command may go on and write better
 * ones (solvers/program/answer.h), of which the best counts.  An answer that can't be read as
 * plans of this instance is `invalid`; none at all, or a failure without one, is `crashed`; plans
 * from a command that then fails are kept, and the note says so.  A command that the time
 * limit cuts keeps what it has written whole.  PROGRAMS.md has all of that for its author.
 * Buffers are their bounding rectangles, or with shapes=on have a column of gaps, which says
 * all but bytes that do not lie together (lib/problem/instance_csv.h).  */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "solvers/program/answer.h"
#include "solvers/program/launch.h"
#include "solvers/program/tail.h"
#include "solvers/solver.h"

/* A plan is about as long as its instance; what is far longer is none.  */
enum { ANSWER_SPARE = 1 << 20, ANSWER_FACTOR = 16 };

/* What a pipe can hold, and more.  */
enum { LAST_READS = 100 };

struct dialogue {
    const char *question; /* the instance as CSV */
    size_t length, sent;
    struct program program;
    struct answer answer;
    struct error fault; /* of the answer */
    bool answered;      /* with anything at all */
    struct tail said;   /* on standard error */
    bool heard_all;
    double deadline; /* INFINITY: none */
    bool timed_out;
    bool refused; /* what it has answered is invalid, whatever may follow */

    const struct solver_env *env;
    struct plan *best; /* the best plan so far, the last of equals */
    bool planned;      /* there is one */
};

static enum outcome __attribute__((format(printf, 3, 4)))
end_with(struct plan *plan, enum outcome outcome, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(plan->note, sizeof plan->note, format, args);
    va_end(args);
    return outcome;
}

/* --- plans --- */

/* A plan of the command's.  It is verified here as well as in the end: one that a better plan
 * follows would not be seen there, and would stand in the course of the run.  */
static bool take_plan(void *context, const struct plan *plan, struct error *error)
{
    struct dialogue *dialogue = context;
    bool good = verify_plan(dialogue->answer.instance, plan, error);

    if (!dialogue->planned || (good && plan->peak <= dialogue->best->peak))
        plan_copy(dialogue->best, plan);
    dialogue->planned = true;
    if (!good)
        dialogue->refused = true;
    else if (dialogue->env->incumbent != NULL)
        dialogue->env->incumbent(dialogue->env->context, plan);
    return good;
}

/* --- talking --- */

static void send_some(struct dialogue *dialogue)
{
    ssize_t count = write(dialogue->program.to, dialogue->question + dialogue->sent,
                          dialogue->length - dialogue->sent);

    if (count >= 0)
        dialogue->sent += (size_t)count;
    else if (errno != EAGAIN && errno != EINTR)
        program_close(&dialogue->program.to); /* it does not want to know more */
    if (dialogue->sent == dialogue->length)
        program_close(&dialogue->program.to);
}

static void receive_some(struct dialogue *dialogue)
{
    char text[65536];
    ssize_t count = read(dialogue->program.from, text, sizeof text);

    if (count > 0) {
        dialogue->answered = true;
        if (!answer_add(&dialogue->answer, text, (size_t)count, &dialogue->fault))
            dialogue->refused = true;
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        program_close(&dialogue->program.from);
    }
}

/* False when there is nothing more for now.  */
static bool listen_some(struct dialogue *dialogue)
{
    char text[16384];
    ssize_t count = read(dialogue->program.err, text, sizeof text);

    if (count > 0)
        tail_add(&dialogue->said, text, (size_t)count);
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        program_close(&dialogue->program.err);
    dialogue->heard_all = count == 0;
    return count > 0;
}

/* Milliseconds for poll: -1 without a limit, else rounded up.  */
static int time_left(double deadline)
{
    double left = ceil(1e3 * (deadline - timer_now()));

    if (isinf(deadline))
        return -1;
    return left <= 0 ? 0 : (int)fmin(left, 1e6);
}

/* Sleeps until there is something to do, for WAIT_MS at most (-1: as long as it
 * takes), or until PROCESS, a process's descriptor, has ended; and does it.  */
static void serve(struct dialogue *dialogue, int process, int wait_ms)
{
    struct pollfd end[] = {{dialogue->program.from, POLLIN, 0},
                           {dialogue->program.to, POLLOUT, 0},
                           {dialogue->program.err, POLLIN, 0},
                           {process, POLLIN, 0}};

    if (poll(end, sizeof end / sizeof end[0], wait_ms) < 0)
        return; /* a signal */
    if (end[0].revents != 0)
        receive_some(dialogue);
    if (end[1].revents != 0)
        send_some(dialogue);
    if (end[2].revents != 0)
        listen_some(dialogue);
}

/* Until the command has closed its output, or we lose patience.  */
static void talk(struct dialogue *dialogue)
{
    if (dialogue->length == 0)
        program_close(&dialogue->program.to);
    while (dialogue->program.from >= 0 && !dialogue->refused && !dialogue->timed_out) {
        serve(dialogue, -1, time_left(dialogue->deadline));
        dialogue->timed_out = dialogue->program.from >= 0 && timer_now() >= dialogue->deadline;
    }
    program_close(&dialogue->program.to);
    program_close(&dialogue->program.from);
}

static bool has_ended(const struct dialogue *dialogue)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)dialogue->program.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

/* The command's wait status.  What it says until then is heard, or it would wait for
 * us.  The harness ends descendants that are left.  Kernels before Linux 5.3 have no
 * descriptors for processes: there it looks 100 times a second.  */
static int wait_for_end(struct dialogue *dialogue)
{
    int process = (int)syscall(SYS_pidfd_open, dialogue->program.pid, 0), status = 0;

    while (!dialogue->timed_out && !dialogue->refused && !has_ended(dialogue)) {
        int wait_ms = time_left(dialogue->deadline);

        serve(dialogue, process, process < 0 && (wait_ms < 0 || wait_ms > 10) ? 10 : wait_ms);
        dialogue->timed_out = timer_now() >= dialogue->deadline;
    }
    program_close(&process);
    if (dialogue->timed_out || dialogue->refused)
        kill(dialogue->program.pid, SIGKILL);
    while (waitpid(dialogue->program.pid, &status, 0) < 0 && errno == EINTR)
        continue;
    /* Descendants may have this end too, and write without end.  */
    for (int i = 0; i < LAST_READS && dialogue->program.err >= 0 && listen_some(dialogue); i++)
        continue;
    program_close(&dialogue->program.err);
    return status;
}

/* --- judging --- */

/* "ended with status 3", or "" after a good end.  */
static void describe_end(int status, char *text, size_t size)
{
    text[0] = '\0';
    if (WIFSIGNALED(status))
        snprintf(text, size, "the command was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(text, size, "the command ended with status %d", WEXITSTATUS(status));
}

/* GOOD: the last plan was one.  */
static enum outcome judge_answer(const struct dialogue *dialogue, int status, bool good)
{
    struct plan *plan = dialogue->best;
    char end[100];

    describe_end(status, end, sizeof end);
    if (dialogue->refused)
        return end_with(plan, OUTCOME_INVALID, "%.150s", dialogue->fault.text);
    if (dialogue->timed_out)
        return end_with(plan, OUTCOME_TIMEOUT, "the command was still running");
    if (!dialogue->answered)
        return end_with(plan, OUTCOME_CRASHED, "%s%sno answer", end, end[0] == '\0' ? "" : ": ");
    if (good || (dialogue->planned && end[0] != '\0'))
        return end_with(plan, OUTCOME_FEASIBLE, "%s", end);
    if (end[0] != '\0')
        return end_with(plan, OUTCOME_CRASHED, "%s without a plan", end);
    return end_with(plan, OUTCOME_INVALID, "%.150s", dialogue->fault.text);
}

/* The same with a note that quotes the last line on standard error, where there is
 * anything to explain.  */
static enum outcome judge(const struct dialogue *dialogue, int status, bool good)
{
    enum outcome outcome = judge_answer(dialogue, status, good);
    struct plan *plan = dialogue->best;
    size_t length = strlen(plan->note);
    char line[sizeof plan->note];

    /* Who was still running may have been in the middle of a line.  */
    tail_last_line(&dialogue->said, dialogue->timed_out || !dialogue->heard_all, line,
                   sizeof line - length - strlen("; it said: "));
    if (length > 0 && line[0] != '\0')
        snprintf(plan->note + length, sizeof plan->note - length, "; it said: %s", line);
    return outcome;
}

/* --- signals --- */

/* Writing to a command that has gone must not kill us: SIGPIPE is blocked in
 * between, and one that comes is taken back.  */
static void block_sigpipe(sigset_t *before)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigprocmask(SIG_BLOCK, &set, before);
}

static void unblock_sigpipe(const sigset_t *before)
{
    const struct timespec now = {0, 0};
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    if (!sigismember(before, SIGPIPE))
        while (sigtimedwait(&set, NULL, &now) < 0 && errno == EINTR)
            continue;
    sigprocmask(SIG_SETMASK, before, NULL);
}

/* Talks with the command until its end; returns how that was.  */
static enum outcome converse(struct dialogue *dialogue)
{
    bool good;
    int status;

    talk(dialogue);
    good =
        !dialogue->refused && answer_end(&dialogue->answer, dialogue->timed_out, &dialogue->fault);
    status = wait_for_end(dialogue);
    return judge(dialogue, status, good);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    double deadline = env->time_limit > 0 ? timer_now() + env->time_limit : INFINITY;
    struct dialogue dialogue = {.deadline = deadline, .env = env, .best = plan};
    enum outcome outcome;
    char *question = NULL;
    FILE *out = memory_stream(&question, &dialogue.length);
    sigset_t before;
    int failure;

    instance_csv_write(out, instance); /* only memory can be short */
    memory_stream_close(out);
    dialogue.question = question;
    answer_start(&dialogue.answer, instance, ANSWER_FACTOR * dialogue.length + ANSWER_SPARE,
                 take_plan, &dialogue);
    block_sigpipe(&before);
    failure = program_start(&dialogue.program, params_text(env->params, "command"), env, &before);
    if (failure == 0)
        outcome = converse(&dialogue);
    else
        outcome = end_with(plan, OUTCOME_CRASHED, "/bin/sh: %s", strerror(failure));
    unblock_sigpipe(&before);
    answer_clear(&dialogue.answer);
    free(question);
    return outcome;
}

static const struct param params[] = {
    {"identity", PARAM_TEXT, "", NULL, 0, 0,
     "a text that changes with what the files in the command do not tell"},
    {"name", PARAM_TEXT, "", NULL, 0, 0,
     "what tables and figures call it; exec:NAME=COMMAND is short for name=NAME,command=COMMAND"},
    PARAM_SWITCH("shapes", "off",
                 "send when buffers are idle or partly used (a column of gaps), not rectangles"),
    PARAM_SWITCH("seeded", "off",
                 "it draws numbers from ARENABENCH_SEED: a sweep asks for each seed"),
    {"command", PARAM_TEXT, NULL, NULL, 0, 0,
     "a shell command: instance CSV in, plan CSV out (all of the text after the colon)"},
    PARAM_END,
};

static unsigned gains(const struct params *given)
{
    return (params_on(given, "shapes") ? SOLVER_SHAPES : 0) |
           (params_on(given, "seeded") ? SOLVER_SEED : 0);
}

const struct solver solver_exec = {
    .name = "exec",
    .title = "A program of your own",
    .source = "the user",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_RAW_PARAMETER | SOLVER_PROCESSES,
    .layout = LAYOUT_ARENA,
    .params = params,
    .gains = gains,
    .solve = solve,
};
