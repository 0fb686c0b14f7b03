/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Someone who looks on while another process is at work.  */
#ifndef ARENABENCH_HARNESS_IO_WATCH_H
#define ARENABENCH_HARNESS_IO_WATCH_H

#include <stdbool.h>
#include <stddef.h>

struct watch {
    bool (*look)(void *context); /* false: the work is to end now */
    void *context;
    double period_s; /* between two looks, at most */
    int fd;          /* readable: another look at once; < 0: none */
};

/* Has WATCH (NULL: nobody) look.  */
static inline bool watch_goes_on(const struct watch *watch)
{
    return watch == NULL || watch->look(watch->context);
}

#endif
