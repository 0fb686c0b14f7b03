/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* A blocked signal would come through the descriptor even where it is ignored.  */
static bool is_ignored(int number)
{
    struct sigaction action;

    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool interrupt_watch(struct interrupt *interrupt, struct error *error)
{
    static const int taken[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;

    interrupt->signal = 0;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (!is_ignored(taken[i]))
            sigaddset(&set, taken[i]);
    sigprocmask(SIG_BLOCK, &set, &interrupt->before);
    interrupt->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return interrupt->fd >= 0 || error_set(error, "can't wait for signals: %s", strerror(errno));
}

void interrupt_take(struct interrupt *interrupt)
{
    struct signalfd_siginfo info;
    sigset_t second;

    if (read(interrupt->fd, &info, sizeof info) != (ssize_t)sizeof info)
        return;
    if (interrupt->signal == 0)
        interrupt->signal = (int)info.ssi_signo;
    sigemptyset(&second);
    if (sigismember(&interrupt->before, SIGINT) == 0)
        sigaddset(&second, SIGINT);
    sigprocmask(SIG_UNBLOCK, &second, NULL);
}

void interrupt_end(struct interrupt *interrupt)
{
    if (interrupt->fd >= 0)
        close(interrupt->fd);
    if (interrupt->signal == 0)
        sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}
