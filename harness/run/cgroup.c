/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The group of a task, and the files of a group.  */
#include <config.h>

#include "harness/run/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/cgroup_private.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

/* Seconds for the killing, as the reaper has them.  */
#define PATIENCE_S 5.0

/* --- files --- */

bool cgroup_write(const char *folder, const char *file, const char *text)
{
    char *path = memory_printf("%s/%s", folder, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    const int failure = errno;

    if (fd >= 0)
        close(fd);
    free(path);
    errno = failure;
    return done;
}

char *cgroup_read(const char *folder, const char *file)
{
    char *path = memory_printf("%s/%s", folder, file), *text = NULL;
    FILE *in = fopen(path, "re");
    size_t capacity = 0;

    free(path);
    if (in == NULL)
        return NULL;
    /* Of a text without a null byte that is all of it.  */
    if (getdelim(&text, &capacity, '\0', in) < 0) {
        free(text);
        text = ferror(in) ? NULL : memory_strdup("");
    }
    fclose(in);
    return text;
}

bool cgroup_has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; at != NULL && *at != '\0';) {
        const size_t run = strcspn(at, " \n");

        if (run == length && strncmp(at, word, length) == 0)
            return true;
        at += run + (at[run] != '\0');
    }
    return false;
}

/* The number behind NAME in lines `NAME NUMBER`; 0: there is none.  */
static int64_t number_in(const char *text, const char *name)
{
    const size_t length = strlen(name);
    int64_t number;

    for (const char *at = text; at != NULL && *at != '\0';) {
        if (strncmp(at, name, length) == 0 && at[length] == ' ' &&
            sscanf(at + length, "%" SCNd64, &number) == 1)
            return number;
        at += strcspn(at, "\n");
        at += *at != '\0';
    }
    return 0;
}

/* --- making --- */

static void forget(struct cgroup *cgroup)
{
    free(cgroup->path);
    free(cgroup->enter);
    *cgroup = (struct cgroup){NULL, NULL};
}

/* A number that is taken belongs to one that has died here, or to a process of another space of
 * process numbers.  */
static bool make_folder(struct cgroup *cgroup, const char *place)
{
    enum { TRIES = 1000 };

    for (int i = 0; i < TRIES; i++) {
        free(cgroup->path);
        cgroup->path = memory_printf("%s/" CGROUP_TASK "%d-%d", place, (int)getpid(), i);
        if (mkdir(cgroup->path, 0755) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    return false;
}

bool cgroup_make(struct cgroup *cgroup, const char *place, int64_t memory, struct error *error)
{
    char limit[32] = "max";

    *cgroup = (struct cgroup){NULL, NULL};
    if (!make_folder(cgroup, place)) {
        error_set(error, "can't make a control group in %s: %s", place, strerror(errno));
        forget(cgroup);
        return false;
    }
    if (memory > 0)
        snprintf(limit, sizeof limit, "%" PRId64, memory);
    if (!cgroup_write(cgroup->path, "memory.max", limit)) {
        error_set(error, "can't limit the memory of %s: %s", cgroup->path, strerror(errno));
        rmdir(cgroup->path);
        forget(cgroup);
        return false;
    }
    /* Kernels that know no swap, and those before Linux 4.19, lack the one or the other.  */
    (void)cgroup_write(cgroup->path, "memory.swap.max", "0");
    (void)cgroup_write(cgroup->path, "memory.oom.group", "1");
    cgroup->enter = memory_printf("%s/cgroup.procs", cgroup->path);
    return true;
}

/* --- using --- */

static int64_t one_number(const char *folder, const char *file)
{
    char *text = cgroup_read(folder, file);
    int64_t number = 0;

    if (text != NULL && sscanf(text, "%" SCNd64, &number) != 1)
        number = 0;
    free(text);
    return number;
}

static int64_t number_of(const char *folder, const char *file, const char *name)
{
    char *text = cgroup_read(folder, file);
    const int64_t number = number_in(text, name);

    free(text);
    return number;
}

void cgroup_look(const struct cgroup *cgroup, struct cgroup_use *use)
{
    use->memory = one_number(cgroup->path, "memory.peak");
    use->kills = number_of(cgroup->path, "memory.events", "oom_kill");
    use->cpu_s = 1e-6 * (double)number_of(cgroup->path, "cpu.stat", "usage_usec");
}

/* --- ending --- */

void cgroup_kill(const struct cgroup *cgroup)
{
    char *processes, *at, *end;

    if (cgroup_write(cgroup->path, "cgroup.kill", "1"))
        return;
    /* Before Linux 5.14, one by one; who asks again gets those that were born meanwhile.  */
    processes = cgroup_read(cgroup->path, "cgroup.procs");
    for (at = processes; at != NULL; at = end) {
        const long process = strtol(at, &end, 10);

        if (end == at)
            break;
        if (process > 0)
            kill((pid_t)process, SIGKILL);
    }
    free(processes);
}

static bool has_processes(const struct cgroup *cgroup)
{
    return number_of(cgroup->path, "cgroup.events", "populated") != 0;
}

void cgroup_end(struct cgroup *cgroup, struct cgroup_use *use)
{
    const struct timespec tick = {0, 1000000};
    const double deadline = timer_now() + PATIENCE_S;

    cgroup_kill(cgroup);
    while (has_processes(cgroup) && timer_now() < deadline) {
        nanosleep(&tick, NULL);
        cgroup_kill(cgroup);
    }
    if (use != NULL)
        cgroup_look(cgroup, use);
    while (rmdir(cgroup->path) != 0 && errno == EBUSY && timer_now() < deadline)
        nanosleep(&tick, NULL);
    forget(cgroup);
}
