/* Children die with their parent, also where it is dead before they can ask for that.  */
#include <config.h>

#include "harness/run/parent.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/io/transfer.h"
#include "harness/timing/conv_child.h"
#include "tests/support/tap.h"

/* Generous; what hangs for so long is at fault.  */
enum { PATIENCE_S = 60 };

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
    family.parent = fork();
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

static void say_alive(int socket)
{
    transfer_send(socket, "a", 1);
}

static void follow(pid_t parent, int socket)
{
    parent_follow(parent, SIGKILL);
    say_alive(socket);
    for (;;)
        pause();
}

static void test_living(void)
{
    struct family family = start_family(follow, false);
    char byte;

    ok(transfer_receive(family.socket, &byte, 1), "a child lives with its parent");
    kill(family.parent, SIGKILL);
    wait_for(family.parent);
    ok(!transfer_receive(family.socket, &byte, 1), "and dies with it");
    close(family.socket);
}

static void test_dead(void)
{
    struct family family = start_family(follow, true);
    char byte;

    ok(!transfer_receive(family.socket, &byte, 1), "a child whose parent is dead ends at once");
    close(family.socket);
}

static void serve(pid_t parent, int socket)
{
    const struct conv_setup probe = {.isa = ISA_GENERIC, .threads = 1, .cpu = -1};

    conv_child(&probe, socket, parent);
}

/* Whether the process behind a session answers the order to get ready.  */
static bool answers(const struct family *family)
{
    struct conv_order order;
    struct conv_facts facts;

    memset(&order, 0, sizeof order);
    order.kind = CONV_ORDER_PREPARE;
    order.params = 1;
    return transfer_send(family->socket, &order, sizeof order) &&
           transfer_send(family->socket, "", 1) &&
           transfer_receive(family->socket, &facts, sizeof facts);
}

static void test_session(void)
{
    struct family family = start_family(serve, false);

    ok(answers(&family), "the process behind a session answers");
    kill(family.parent, SIGKILL);
    wait_for(family.parent);
    ok(!answers(&family), "until its parent dies");
    close(family.socket);
    family = start_family(serve, true);
    ok(!answers(&family), "and not at all where that is dead before");
    close(family.socket);
}

int main(void)
{
    alarm(PATIENCE_S);
    test_living();
    test_dead();
    test_session();
    return tap_done();
}
