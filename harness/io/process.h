/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that this one forks: how they start, how they follow it, talk with it and
 * end.  */
#ifndef ARENABENCH_HARNESS_IO_PROCESS_H
#define ARENABENCH_HARNESS_IO_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "harness/io/watch.h"
#include "lib/base/error.h"

struct process {
    pid_t pid; /* 0: it was waited for */
    /* Our end of its socket; of one that does not talk, readable when it has ended.  -1:
     * kernels before Linux 5.3 have no descriptors for processes.  */
    int fd;
};

/* What a process does; its return ends the process well.  SOCKET: its end; -1: it does
 * not talk.  */
typedef void process_work(void *context, int socket);

enum process_flags {
    PROCESS_TALKS = 1,   /* a socket between the two, for messages */
    PROCESS_BLOCKED = 2, /* WORK begins with all signals blocked, not as they were here */
};

/* Runs WORK in a process of its own, which gets SIGKILL when this one dies.  Output that
 * waits in buffers is written before.  False with a message when there is none.  */
bool process_start(struct process *process, unsigned flags, process_work *work, void *context,
                   struct error *error);

/* For a process right after its fork, as process_start does it: from now on it gets SIGNAL
 * when its parent dies.  PARENT is what the parent's getpid() was before the fork; where
 * that one is dead already, the process ends here.  Tests call it alone, as only so its parent
 * can be dead before.  */
void process_follow(pid_t parent, int signal);

/* The last processor that this process may use; -1: unknown.  */
int process_last_processor(void);

/* Keeps this process on PROCESSOR from now on; false where that can't be done, or it is -1.  */
bool process_pin(int processor);

/* Sleeps until none of its threads runs, but for SECONDS at most: true when that is so.  Threads of
 * libraries go on looking for work for some milliseconds when it is done, on processors that the
 * next contestant needs.  True also where the system does not say.  */
bool process_settle(const struct process *process, double seconds);

/* Whether it has ended, and may be waited for.  */
bool process_has_ended(const struct process *process);

/* Sleeps until there is something to see of one of COUNT processes, but for SECONDS at most
 * and for no longer than until WATCH (NULL: nobody) is to look.  */
void process_sleep(const struct process *process, size_t count, double seconds,
                   const struct watch *watch);

/* Hangs up, which ends one that waits for messages, and waits for its end.  The status as
 * wait() has it, or -1 with errno.  USAGE may be NULL.  */
int process_wait(struct process *process, struct rusage *usage);
/* The same after SIGKILL, which changes nothing where it has ended.  */
int process_end(struct process *process);

/* The program that the shell finds in PATH when it looks for NAME, or NULL.  The caller frees it.
 */
char *process_program(const char *name);

/* Seconds of processor time in USAGE.  */
double process_seconds(const struct rusage *usage);

/* The record of the most memory that this process had begins anew, with what it has now, where the
 * system can do that.  */
void process_resident_restart(void);
/* Bytes since then, or since the process began; 0: unknown.  */
int64_t process_resident_most(void);

/* Memory that is shared with processes that start from now on, zeroed; pages are taken as
 * they are written to.  Freed by munmap; NULL with errno when there is none.  */
void *process_share(size_t bytes);

/* A message over a socket.  Both sides are the same program, so structs travel as they
 * are.  */
struct message {
    int kind;
    size_t size;
    void *data; /* the receiver frees it */
};

enum message_news {
    MESSAGE_HERE,
    MESSAGE_GONE,     /* the other side has ended */
    MESSAGE_LATE,     /* nothing came for so long */
    MESSAGE_UNWANTED, /* the watch wanted no more */
};

/* False when the other side is gone.  */
bool message_send(int socket, int kind, const void *data, size_t size);

/* Waits for the next message, up to its end.  PATIENCE_S may be INFINITY, WATCH NULL.  */
enum message_news message_receive(int socket, struct message *message, double patience_s,
                                  const struct watch *watch);

/* The data of the next message, which is to be of that kind and size; NULL when it is
 * not, or the other side is gone.  */
void *message_expect(int socket, int kind, size_t size);

#endif
