#include <config.h>

#include "harness/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool interrupt_watch(struct interrupt *interrupt, struct error *error)
{
    sigset_t set;

    interrupt->signal = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, &interrupt->before);
    interrupt->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return interrupt->fd >= 0 || error_set(error, "can't wait for signals: %s", strerror(errno));
}

void interrupt_take(struct interrupt *interrupt)
{
    struct signalfd_siginfo info;

    if (read(interrupt->fd, &info, sizeof info) == (ssize_t)sizeof info)
        interrupt->signal = (int)info.ssi_signo;
}

void interrupt_end(struct interrupt *interrupt)
{
    if (interrupt->fd >= 0)
        close(interrupt->fd);
    sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}
