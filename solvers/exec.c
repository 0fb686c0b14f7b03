/* exec: a planner of the user's own, as a program.
 *
 * `/bin/sh -c COMMAND` gets the instance as CSV (id,lower,upper,size and, where
 * one is above 1, alignment; half-open lifetimes) on standard input and answers
 * with a plan as CSV (at least id and offset) on standard output; what it says
 * on standard error is read to the end and forgotten, but for the last line, which
 * the note of a failure quotes.  All pipes are served together, so it may answer
 * before it has read all, or without reading at all.
 *
 * Source: the user's.  Complexity and guarantee: the command's.  The plan is
 * judged like any other.  An answer that can't be read as a plan of this
 * instance is `invalid`; none at all, or a failure without one, is `crashed`;
 * a plan from a command that then fails is kept, and the note says so.  A
 * command that the time limit cuts keeps a plan that it has written whole.
 * Shapes can't be told in CSV: the command sees bounding rectangles.  */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
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
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "lib/problem/plan_csv.h"
#include "solvers/search/tail.h"
#include "solvers/solver.h"

/* A plan is about as long as its instance; what is far longer is none.  */
enum { ANSWER_SPARE = 1 << 20, ANSWER_FACTOR = 16 };

/* What a pipe can hold, and more.  */
enum { LAST_READS = 100 };

struct dialogue {
    const char *question; /* the instance as CSV */
    size_t length, sent;
    char *answer;
    size_t received, room;
    int to, from, err; /* the command's standard input, output and error; -1: closed */
    struct tail said;  /* on standard error */
    bool heard_all;
    pid_t pid;
    double deadline; /* INFINITY: none */
    bool timed_out, endless;
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

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* --- starting --- */

/* The command's signals are as they were before, with SIGPIPE as it is in a
 * new process.  END becomes its descriptors 0, 1 and 2.  Returns 0 or an error
 * number.  */
static int spawn_shell(struct dialogue *dialogue, const char *command, const int end[3],
                       const sigset_t *mask)
{
    char shell[] = "sh", option[] = "-c", *text = memory_strdup(command);
    char *const argv[] = {shell, option, text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int failure;

    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, end[i], i);
    failure = posix_spawn(&dialogue->pid, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(text);
    return failure;
}

static void set_nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Pipe ends above 2, so that none stands where the command's own will be; or -1
 * with errno.  */
static bool make_pipe(int end[2])
{
    if (pipe2(end, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        int high = fcntl(end[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

        if (high < 0) {
            int failure = errno;

            close_end(&end[0]);
            close_end(&end[1]);
            errno = failure;
            return false;
        }
        close(end[i]);
        end[i] = high;
    }
    return true;
}

/* Returns 0 or an error number.  */
static int start_command(struct dialogue *dialogue, const char *command, const sigset_t *mask)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, failure = 0;

    if (!make_pipe(in) || !make_pipe(out) || !make_pipe(err))
        failure = errno;
    else
        failure = spawn_shell(dialogue, command, (const int[]){in[0], out[1], err[1]}, mask);
    close_end(&in[0]);
    close_end(&out[1]);
    close_end(&err[1]);
    dialogue->to = in[1];
    dialogue->from = out[0];
    dialogue->err = err[0];
    if (failure != 0) {
        close_end(&dialogue->to);
        close_end(&dialogue->from);
        close_end(&dialogue->err);
        return failure;
    }
    set_nonblocking(dialogue->to);
    set_nonblocking(dialogue->from);
    set_nonblocking(dialogue->err);
    return 0;
}

/* --- talking --- */

static void send_some(struct dialogue *dialogue)
{
    ssize_t count =
        write(dialogue->to, dialogue->question + dialogue->sent, dialogue->length - dialogue->sent);

    if (count >= 0)
        dialogue->sent += (size_t)count;
    else if (errno != EAGAIN && errno != EINTR)
        close_end(&dialogue->to); /* it does not want to know more */
    if (dialogue->sent == dialogue->length)
        close_end(&dialogue->to);
}

static void receive_some(struct dialogue *dialogue)
{
    ssize_t count;

    dialogue->answer =
        memory_grow(dialogue->answer, &dialogue->room, dialogue->received + 65536, 1);
    count = read(dialogue->from, dialogue->answer + dialogue->received, 65536);
    if (count > 0)
        dialogue->received += (size_t)count;
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        close_end(&dialogue->from);
    if (dialogue->received / ANSWER_FACTOR > dialogue->length + ANSWER_SPARE / ANSWER_FACTOR)
        dialogue->endless = true;
}

/* False when there is nothing more for now.  */
static bool listen_some(struct dialogue *dialogue)
{
    char text[16384];
    ssize_t count = read(dialogue->err, text, sizeof text);

    if (count > 0)
        tail_add(&dialogue->said, text, (size_t)count);
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        close_end(&dialogue->err);
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
    struct pollfd end[] = {{dialogue->from, POLLIN, 0},
                           {dialogue->to, POLLOUT, 0},
                           {dialogue->err, POLLIN, 0},
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
        close_end(&dialogue->to);
    while (dialogue->from >= 0 && !dialogue->endless && !dialogue->timed_out) {
        serve(dialogue, -1, time_left(dialogue->deadline));
        dialogue->timed_out = dialogue->from >= 0 && timer_now() >= dialogue->deadline;
    }
    close_end(&dialogue->to);
    close_end(&dialogue->from);
}

static bool has_ended(const struct dialogue *dialogue)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)dialogue->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

/* The command's wait status.  What it says until then is heard, or it would wait for
 * us.  The harness ends descendants that are left.  Kernels before Linux 5.3 have no
 * descriptors for processes: there it looks 100 times a second.  */
static int wait_for_end(struct dialogue *dialogue)
{
    int process = (int)syscall(SYS_pidfd_open, dialogue->pid, 0), status = 0;

    while (!dialogue->timed_out && !dialogue->endless && !has_ended(dialogue)) {
        int wait_ms = time_left(dialogue->deadline);

        serve(dialogue, process, process < 0 && (wait_ms < 0 || wait_ms > 10) ? 10 : wait_ms);
        dialogue->timed_out = timer_now() >= dialogue->deadline;
    }
    close_end(&process);
    if (dialogue->timed_out || dialogue->endless)
        kill(dialogue->pid, SIGKILL);
    while (waitpid(dialogue->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    /* Descendants may have this end too, and write without end.  */
    for (int i = 0; i < LAST_READS && dialogue->err >= 0 && listen_some(dialogue); i++)
        continue;
    close_end(&dialogue->err);
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

static bool read_plan(const struct dialogue *dialogue, const struct instance *instance,
                      struct plan *plan, struct error *error)
{
    FILE *in = fmemopen(dialogue->answer, dialogue->received, "r");
    struct plan *answered;

    if (in == NULL)
        memory_exhausted();
    answered = plan_csv_read(in, "the command's answer", instance, error);
    fclose(in);
    if (answered == NULL)
        return false;
    plan_copy(plan, answered);
    plan_free(answered);
    return true;
}

/* Reads the plan, if there is one.  It is streamed at once: the command may
 * take its time to end, and the limit may come before.  */
static bool take_plan(const struct dialogue *dialogue, const struct instance *instance,
                      const struct solver_env *env, struct plan *plan, struct error *error)
{
    if (dialogue->endless || dialogue->received == 0)
        return false;
    if (dialogue->timed_out && dialogue->answer[dialogue->received - 1] != '\n')
        return false; /* the last line may be cut short */
    if (!read_plan(dialogue, instance, plan, error))
        return false;
    if (env->incumbent != NULL)
        env->incumbent(env->context, plan);
    return true;
}

static enum outcome judge_answer(const struct dialogue *dialogue, int status, bool planned,
                                 const struct error *error, struct plan *plan)
{
    char end[100];

    describe_end(status, end, sizeof end);
    if (dialogue->endless)
        return end_with(plan, OUTCOME_INVALID, "the command's answer is far too long for a plan");
    if (dialogue->timed_out)
        return end_with(plan, OUTCOME_TIMEOUT, "the command was still running");
    if (dialogue->received == 0)
        return end_with(plan, OUTCOME_CRASHED, "%s%sno answer", end, end[0] == '\0' ? "" : ": ");
    if (planned)
        return end_with(plan, OUTCOME_FEASIBLE, "%s", end);
    if (end[0] != '\0')
        return end_with(plan, OUTCOME_CRASHED, "%s without a plan", end);
    return end_with(plan, OUTCOME_INVALID, "%.150s", error->text);
}

/* The same with a note that quotes the last line on standard error, where there is
 * anything to explain.  */
static enum outcome judge(const struct dialogue *dialogue, int status, bool planned,
                          const struct error *error, struct plan *plan)
{
    enum outcome outcome = judge_answer(dialogue, status, planned, error, plan);
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

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    double deadline = env->time_limit > 0 ? timer_now() + env->time_limit : INFINITY;
    struct dialogue dialogue = {.deadline = deadline};
    enum outcome outcome;
    char *question = NULL;
    FILE *out = memory_stream(&question, &dialogue.length);
    sigset_t before;
    int failure;

    instance_csv_write(out, instance); /* rectangles: only memory can be short */
    memory_stream_close(out);
    dialogue.question = question;
    block_sigpipe(&before);
    failure = start_command(&dialogue, params_text(env->params, "command"), &before);
    if (failure == 0) {
        struct error error = {""};
        bool planned;
        int status;

        talk(&dialogue);
        planned = take_plan(&dialogue, instance, env, plan, &error);
        status = wait_for_end(&dialogue);
        outcome = judge(&dialogue, status, planned, &error, plan);
    } else {
        outcome = end_with(plan, OUTCOME_CRASHED, "/bin/sh: %s", strerror(failure));
    }
    unblock_sigpipe(&before);
    free(dialogue.answer);
    free(question);
    return outcome;
}

static const struct param params[] = {
    {"identity", PARAM_TEXT, "", NULL, 0, 0,
     "a text that changes with what the files in the command do not tell"},
    {"name", PARAM_TEXT, "", NULL, 0, 0,
     "what tables and figures call it; exec:NAME=COMMAND is short for name=NAME,command=COMMAND"},
    {"command", PARAM_TEXT, NULL, NULL, 0, 0,
     "a shell command: instance CSV in, plan CSV out (all of the text after the colon)"},
    PARAM_END,
};

const struct solver solver_exec = {
    .name = "exec",
    .title = "A program of your own",
    .source = "the user",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_RAW_PARAMETER | SOLVER_PROCESSES,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
