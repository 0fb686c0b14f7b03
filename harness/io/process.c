/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/process.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/timer.h"

char *process_program(const char *name)
{
    const char *folders = getenv("PATH");

    if (folders == NULL)
        folders = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"; /* as sh */
    for (;;) {
        size_t length = strcspn(folders, ":");
        char *path = memory_printf("%.*s%s%s", (int)length, folders, length == 0 ? "" : "/", name);
        struct stat status;

        if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0)
            return path;
        free(path);
        if (folders[length] == '\0')
            return NULL;
        folders += length + 1;
    }
}

double process_seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

/* --- where it runs --- */

int process_last_processor(void)
{
    cpu_set_t set;
    int last = -1;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return -1;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set))
            last = (int)cpu;
    return last;
}

bool process_pin(int processor)
{
    cpu_set_t set;

    if (processor < 0)
        return false;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/* --- beginning --- */

void process_follow(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    /* It may have died between the fork and that: no signal comes then, and the
     * child has another parent.  */
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
}

static void close_end(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Signals are blocked across the fork, so that no handler of the parent's runs in the
 * child.  */
bool process_start(struct process *process, unsigned flags, process_work *work, void *context,
                   struct error *error)
{
    const pid_t parent = getpid();
    int ends[2] = {-1, -1};
    sigset_t all, before;

    *process = (struct process){0, -1};
    if ((flags & PROCESS_TALKS) != 0 &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(error, "can't talk to another process: %s", strerror(errno));
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    process->pid = fork();
    if (process->pid == 0) {
        close_end(ends[0]);
        process_follow(parent, SIGKILL);
        if ((flags & PROCESS_BLOCKED) == 0)
            sigprocmask(SIG_SETMASK, &before, NULL);
        work(context, ends[1]);
        _exit(EXIT_SUCCESS);
    }
    if (process->pid < 0)
        error_set(error, "can't start a process: %s", strerror(errno));
    sigprocmask(SIG_SETMASK, &before, NULL);
    close_end(ends[1]);
    if (process->pid < 0) {
        close_end(ends[0]);
        process->pid = 0;
        return false;
    }
    process->fd = ends[0] >= 0 ? ends[0] : (int)syscall(SYS_pidfd_open, process->pid, 0);
    return true;
}

void process_resident_restart(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");

    if (file == NULL)
        return;
    fputs("5", file);
    fclose(file);
}

int64_t process_resident_most(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    int64_t kibibytes = 0;

    if (file == NULL)
        return 0;
    while (kibibytes == 0 && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %" SCNd64, &kibibytes) != 1)
            kibibytes = 0;
    fclose(file);
    return kibibytes * 1024;
}

void *process_share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* --- waiting --- */

/* Milliseconds for poll.  */
static int milliseconds(double seconds)
{
    return (int)fmax(0.0, fmin(ceil(1e3 * seconds), INT_MAX));
}

void process_sleep(const struct process *process, size_t count, double seconds,
                   const struct watch *watch)
{
    /* How often to look where no descriptor says it.  */
    const double tick_s = 2e-3;
    struct pollfd *ready = memory_alloc(count + 1, sizeof *ready);

    ready[count] = (struct pollfd){watch != NULL ? watch->fd : -1, POLLIN, 0};
    if (watch != NULL)
        seconds = fmin(seconds, watch->period_s);
    for (size_t i = 0; i < count; i++) {
        ready[i] = (struct pollfd){process[i].fd, POLLIN, 0};
        if (process[i].pid > 0 && process[i].fd < 0)
            seconds = fmin(seconds, tick_s);
    }
    poll(ready, count + 1, milliseconds(seconds)); /* a signal is one more look */
    free(ready);
}

/* Whether the thread whose files are in FOLDER runs or could.  */
static bool is_running(const char *folder, const char *thread)
{
    char *path = memory_printf("%s/%s/stat", folder, thread), line[256] = "", *state;
    FILE *file = fopen(path, "r");

    free(path);
    if (file == NULL) /* it has ended */
        return false;
    (void)!fgets(line, sizeof line, file);
    fclose(file);
    state = strrchr(line, ')'); /* behind its name, which may have any */
    return state != NULL && state[1] == ' ' && state[2] == 'R';
}

static bool has_running_threads(const struct process *process)
{
    char *folder = memory_printf("/proc/%d/task", (int)process->pid);
    DIR *threads = opendir(folder);
    const struct dirent *thread;
    bool running = false;

    while (threads != NULL && !running && (thread = readdir(threads)) != NULL)
        running = thread->d_name[0] != '.' && is_running(folder, thread->d_name);
    if (threads != NULL)
        closedir(threads);
    free(folder);
    return running;
}

bool process_settle(const struct process *process, double seconds)
{
    const double end = timer_now() + seconds;
    const struct timespec tick = {0, 500000};

    while (has_running_threads(process)) {
        if (timer_now() >= end)
            return false;
        nanosleep(&tick, NULL);
    }
    return true;
}

bool process_has_ended(const struct process *process)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == process->pid;
}

int process_wait(struct process *process, struct rusage *usage)
{
    int status;

    /* Processes that were started later have this end too: closing it says nothing.  */
    if (process->fd >= 0)
        shutdown(process->fd, SHUT_RDWR);
    close_end(process->fd);
    while (wait4(process->pid, &status, 0, usage) < 0)
        if (errno != EINTR) {
            status = -1;
            break;
        }
    *process = (struct process){0, -1};
    return status;
}

int process_end(struct process *process)
{
    kill(process->pid, SIGKILL);
    return process_wait(process, NULL);
}

/* --- talking --- */

/* What stands before the data.  */
struct frame {
    int64_t kind;
    uint64_t size;
};

static bool send_all(int socket, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        /* A broken connection is a failure, not a signal.  */
        ssize_t put = send(socket, at, size, MSG_NOSIGNAL);

        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            at += put;
            size -= (size_t)put;
        }
    }
    return true;
}

bool message_send(int socket, int kind, const void *data, size_t size)
{
    const struct frame frame = {kind, size};

    return send_all(socket, &frame, sizeof frame) && send_all(socket, data, size);
}

static enum message_news receive_all(int socket, void *data, size_t size, double end,
                                     const struct watch *watch)
{
    const struct process other = {0, socket};

    for (char *at = data; size > 0;) {
        ssize_t got;

        if (!watch_goes_on(watch))
            return MESSAGE_UNWANTED;
        if (timer_now() >= end)
            return MESSAGE_LATE;
        process_sleep(&other, 1, end - timer_now(), watch);
        got = recv(socket, at, size, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
            return MESSAGE_GONE;
        if (got > 0) {
            at += got;
            size -= (size_t)got;
        }
    }
    return MESSAGE_HERE;
}

enum message_news message_receive(int socket, struct message *message, double patience_s,
                                  const struct watch *watch)
{
    const double end = timer_now() + patience_s;
    struct frame frame;
    enum message_news news = receive_all(socket, &frame, sizeof frame, end, watch);

    if (news != MESSAGE_HERE)
        return news;
    *message = (struct message){(int)frame.kind, frame.size, memory_alloc(frame.size, 1)};
    news = receive_all(socket, message->data, message->size, end, watch);
    if (news != MESSAGE_HERE)
        free(message->data);
    return news;
}

void *message_expect(int socket, int kind, size_t size)
{
    struct message message;

    if (message_receive(socket, &message, INFINITY, NULL) != MESSAGE_HERE)
        return NULL;
    if (message.kind == kind && message.size == size)
        return message.data;
    free(message.data);
    return NULL;
}
