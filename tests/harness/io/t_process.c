/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that are forked: they die with their parent, also where it is dead before they
 * can ask for that, and messages between the two come whole or not at all.  */
#include <config.h>

#include "harness/io/process.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "tests/support/tap.h"

enum {
    PATIENCE_S = 60, /* generous; what hangs for so long is at fault */
    LARGE = 1 << 24, /* more than a socket holds */
};

/* --- parents --- */

/* What a child does, with the socket whose other end is the test's.  */
typedef void child_work(pid_t parent, int socket);

/* The child of a process of its own, whose end is the socket's: a byte for life.  */
struct family {
    pid_t parent;
    int socket;
};

static void wait_for(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* A parent that forks a child and dies at once, or waits to be killed.  */
static struct family start_family(child_work *work, bool dies)
{
    struct family family;
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        abort();
    family.parent = tap_fork();
    if (family.parent == 0) {
        const pid_t parent = getpid();
        const pid_t child = fork();

        close(ends[0]);
        if (child == 0) {
            alarm(PATIENCE_S);
            while (dies && getppid() == parent)
                sched_yield();
            work(parent, ends[1]);
            _exit(EXIT_SUCCESS);
        }
        close(ends[1]);
        while (!dies)
            pause();
        _exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    family.socket = ends[0];
    if (dies)
        wait_for(family.parent);
    return family;
}

static bool hears(int socket)
{
    char byte;

    return read(socket, &byte, 1) == 1;
}

static _Noreturn void live(int socket)
{
    send(socket, "a", 1, MSG_NOSIGNAL);
    for (;;)
        pause();
}

static void follow(pid_t parent, int socket)
{
    process_follow(parent, SIGKILL);
    live(socket);
}

static void test_followers(void)
{
    struct family family = start_family(follow, false);

    ok(hears(family.socket), "a child lives with its parent");
    kill(family.parent, SIGKILL);
    wait_for(family.parent);
    ok(!hears(family.socket), "and dies with it");
    close(family.socket);
    family = start_family(follow, true);
    ok(!hears(family.socket), "a child whose parent is dead ends at once");
    close(family.socket);
}

static void live_below(void *context, int socket)
{
    (void)socket;
    live(*(int *)context);
}

static void start_and_live(void *context, int socket)
{
    int *life = context;
    struct process process;

    (void)socket;
    process_start(&process, 0, live_below, life, NULL);
    close(*life);
    for (;;)
        pause();
}

static void test_started(void)
{
    struct process parent;
    int ends[2];

    if (!ok(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 &&
                process_start(&parent, 0, start_and_live, &ends[1], NULL),
            "a process that starts another"))
        return;
    close(ends[1]);
    ok(hears(ends[0]), "which lives");
    process_end(&parent);
    ok(!hears(ends[0]), "until the one that started it is killed");
    close(ends[0]);
}

/* --- ends --- */

static void do_nothing(void *context, int socket)
{
    (void)context;
    (void)socket;
}

static void die(void *context, int socket)
{
    (void)socket;
    signal(*(int *)context, SIG_DFL);
    raise(*(int *)context);
}

/* Sleeps until it has ended, and waits for it.  */
static int await_end(struct process *process)
{
    while (!process_has_ended(process))
        process_sleep(process, 1, INFINITY, NULL);
    return process_wait(process, NULL);
}

static void test_ends(void)
{
    struct process process;
    int number = SIGTERM;

    process_start(&process, 0, do_nothing, NULL, NULL);
    is_int(await_end(&process), 0, "work that is done is a good end");
    is_int(process.pid, 0, "of which nothing is left");
    process_start(&process, 0, die, &number, NULL);
    is_int(await_end(&process), SIGTERM, "a signal is the status");
    process_start(&process, 0, do_nothing, NULL, NULL);
    close(process.fd);
    process.fd = -1;
    is_int(await_end(&process), 0, "an end is seen without a descriptor");
    errno = 0;
    is_int(process_wait(&(struct process){getpid(), -1}, NULL), -1, "who is no child has none");
    is_int(errno, ECHILD, "for a reason");
}

/* The signals that a process begins with, as the bits 0 (SIGUSR1 is blocked) and 1 (so is
 * SIGUSR2) of its status.  */
static void tell_mask(void *context, int socket)
{
    sigset_t set;

    (void)context;
    (void)socket;
    sigprocmask(SIG_BLOCK, NULL, &set);
    _exit(sigismember(&set, SIGUSR1) + 2 * sigismember(&set, SIGUSR2));
}

static void test_signals(void)
{
    struct process process;
    sigset_t set, before;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, &before);
    process_start(&process, 0, tell_mask, NULL, NULL);
    is_int(WEXITSTATUS(process_wait(&process, NULL)), 2, "signals are blocked as they were here");
    process_start(&process, PROCESS_BLOCKED, tell_mask, NULL, NULL);
    is_int(WEXITSTATUS(process_wait(&process, NULL)), 3, "or all are");
    sigprocmask(SIG_SETMASK, &before, &set);
    ok(sigismember(&set, SIGUSR2) == 1 && sigismember(&set, SIGUSR1) == 0, "here all is as it was");
}

/* --- messages --- */

static void answer_all(void *context, int socket)
{
    struct message message;

    (void)context;
    while (message_receive(socket, &message, INFINITY, NULL) == MESSAGE_HERE) {
        message_send(socket, message.kind + 1, message.data, message.size);
        free(message.data);
    }
}

static void on_alarm(int number)
{
    (void)number;
}

/* Interrupts system calls a thousand times a second, or (PERIOD_US 0) no more.  */
static void interrupt_calls(int period_us)
{
    const struct sigaction action = {.sa_handler = on_alarm}; /* no SA_RESTART */
    const struct itimerval timer = {{0, period_us}, {0, period_us}};

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void nap(void *context, int socket)
{
    (void)context;
    (void)socket;
    usleep(20000);
}

static void test_interrupted_wait(void)
{
    struct process process;

    process_start(&process, 0, nap, NULL, NULL);
    interrupt_calls(1000);
    is_int(process_wait(&process, NULL), 0, "signals do not end the waiting");
    interrupt_calls(0);
}

static void test_messages(void)
{
    unsigned char *sent = memory_alloc(LARGE, 1), *got;
    struct process process;

    for (size_t i = 0; i < LARGE; i++)
        sent[i] = (unsigned char)(i * 2654435761U >> 24);
    process_start(&process, PROCESS_TALKS, answer_all, NULL, NULL);
    interrupt_calls(1000);
    message_send(process.fd, 7, sent, LARGE);
    got = message_expect(process.fd, 8, LARGE);
    interrupt_calls(0);
    ok(got != NULL && memcmp(got, sent, LARGE) == 0, "a large message and its answer");
    free(got);
    message_send(process.fd, 1, NULL, 0);
    got = message_expect(process.fd, 2, 0);
    ok(got != NULL, "an empty one");
    free(got);
    message_send(process.fd, 1, sent, 3);
    ok(message_expect(process.fd, 3, 3) == NULL, "one of another kind is none");
    message_send(process.fd, 1, sent, 3);
    ok(message_expect(process.fd, 2, 4) == NULL, "nor is one of another size");
    is_int(process_wait(&process, NULL), 0, "hanging up ends it");
    free(sent);
}

/* Who is started later has the ends of those before.  */
static void test_hanging_up(void)
{
    struct process first, second;

    process_start(&first, PROCESS_TALKS, answer_all, NULL, NULL);
    process_start(&second, PROCESS_TALKS, answer_all, NULL, NULL);
    is_int(process_wait(&first, NULL), 0, "the first of two ends while the second lives");
    message_send(second.fd, 1, NULL, 0);
    free(message_expect(second.fd, 2, 0));
    is_int(process_wait(&second, NULL), 0, "which talks on");
}

/* A frame (harness/io/process.c) that says more than there is.  */
static void say_half(void *context, int socket)
{
    const int64_t frame[2] = {1, 100};

    send(socket, frame, sizeof frame, MSG_NOSIGNAL);
    send(socket, "half", 4, MSG_NOSIGNAL);
    if (*(bool *)context)
        for (;;)
            pause();
}

static bool look(void *context)
{
    int *looks = context;

    return --*looks > 0;
}

static void test_broken_messages(void)
{
    struct message message;
    struct process process;
    int looks = 3, ends[2];
    struct watch watch = {look, &looks, 1e-3, -1};
    bool stays = false;

    process_start(&process, PROCESS_TALKS, say_half, &stays, NULL);
    is_int(message_receive(process.fd, &message, INFINITY, NULL), MESSAGE_GONE,
           "the end of the other side in the middle of a message");
    is_int(process_end(&process), 0, "killing it is too late then");
    stays = true;
    process_start(&process, PROCESS_TALKS, say_half, &stays, NULL);
    is_int(message_receive(process.fd, &message, 0.02, NULL), MESSAGE_LATE,
           "a message that does not go on");
    is_int(process_end(&process), SIGKILL, "an end that was called for");
    process_start(&process, PROCESS_TALKS, say_half, &stays, NULL);
    is_int(message_receive(process.fd, &message, INFINITY, &watch), MESSAGE_UNWANTED,
           "a message that nobody wants any more");
    is_int(looks, 0, "after as many looks as it took");
    looks = 2;
    ok(pipe(ends) == 0 && write(ends[1], "", 1) == 1, "a descriptor that is readable");
    watch = (struct watch){look, &looks, INFINITY, ends[0]};
    is_int(message_receive(process.fd, &message, INFINITY, &watch), MESSAGE_UNWANTED,
           "calls for a look too");
    process_end(&process);
    ok(!message_send(ends[0], 1, NULL, 0), "what is no socket takes no message");
    close(ends[0]);
    close(ends[1]);
}

/* In a process of its own, which tells whether it may use that processor and no other.  */
static void pin(void *context, int socket)
{
    const int *processor = context;
    bool pinned = process_pin(*processor);
    cpu_set_t set;
    char byte = 'n';

    if (pinned && sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 &&
        process_last_processor() == *processor && sched_getcpu() == *processor)
        byte = 'y';
    send(socket, &byte, 1, MSG_NOSIGNAL);
}

static void test_processors(void)
{
    int last = process_last_processor();
    struct process process;
    char byte = '?';

    ok(last >= 0 && last < sysconf(_SC_NPROCESSORS_CONF), "there is a last processor: %d", last);
    process_start(&process, PROCESS_TALKS, pin, &last, NULL);
    ok(read(process.fd, &byte, 1) == 1 && byte == 'y',
       "a process that is pinned to it stays there");
    process_wait(&process, NULL);
    is_int(process_last_processor(), last, "who started it is not");
    ok(!process_pin(-1), "an unknown processor can't be pinned to");
}

/* --- threads --- */

static void *spin(void *end)
{
    while (timer_now() < *(const double *)end)
        continue;
    return NULL;
}

/* Has a thread that runs for as many seconds as it is told, and waits meanwhile.  */
static void spin_beside(void *seconds, int socket)
{
    double end = timer_now() + *(const double *)seconds;
    pthread_t thread;
    struct message message;

    if (pthread_create(&thread, NULL, spin, &end) != 0)
        _exit(1);
    message_send(socket, 1, NULL, 0);
    while (message_receive(socket, &message, INFINITY, NULL) == MESSAGE_HERE)
        free(message.data);
    _exit(0);
}

static void test_settling(void)
{
    static double brief = 0.1, long_s = PATIENCE_S;
    struct error error = {""};
    struct process process;
    double begin = timer_now();

    if (access("/proc/self/task", R_OK) != 0) {
        tap_skip(4, "the system does not say whether threads run");
        return;
    }
    if (!process_start(&process, PROCESS_TALKS, spin_beside, &brief, &error))
        tap_bail(error.text);
    free(message_expect(process.fd, 1, 0));
    ok(process_settle(&process, PATIENCE_S), "a thread that ends is waited for");
    ok(timer_now() - begin >= brief, "until it ends");
    is_int(process_wait(&process, NULL), 0, "its process waits for messages");
    if (!process_start(&process, PROCESS_TALKS, spin_beside, &long_s, &error))
        tap_bail(error.text);
    free(message_expect(process.fd, 1, 0));
    ok(!process_settle(&process, 0.05), "one that goes on is not");
    process_end(&process);
}

int main(void)
{
    alarm(PATIENCE_S);
    test_processors();
    test_followers();
    test_started();
    test_ends();
    test_signals();
    test_interrupted_wait();
    test_messages();
    alarm(PATIENCE_S); /* the timer and its signal are the same */
    signal(SIGALRM, SIG_DFL);
    test_hanging_up();
    test_broken_messages();
    test_settling();
    return tap_done();
}
