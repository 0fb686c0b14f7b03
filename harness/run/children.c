/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/children.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/run/process_stat.h"
#include "lib/base/memory.h"

static void add(struct children *children, pid_t pid)
{
    children->pid =
        memory_grow(children->pid, &children->capacity, children->count + 1, sizeof *children->pid);
    children->pid[children->count++] = pid;
}

static bool add_listed(struct children *children, const char *path)
{
    FILE *list = fopen(path, "re");
    int pid;

    if (list == NULL)
        return false;
    while (fscanf(list, "%d", &pid) == 1)
        add(children, pid);
    fclose(list);
    return true;
}

bool children_listed(struct children *children)
{
    char path[64];

    *children = (struct children){0};
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)gettid());
    return add_listed(children, path);
}

bool children_add(struct children *children, pid_t process)
{
    const struct dirent *thread;
    bool listed = false;
    char path[300];
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    threads = opendir(path);
    if (threads == NULL)
        return false;
    while ((thread = readdir(threads)) != NULL) {
        if (!isdigit((unsigned char)thread->d_name[0]))
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)process, thread->d_name);
        listed |= add_listed(children, path);
    }
    closedir(threads);
    return listed;
}

/* 0: there is no such process.  */
static pid_t parent_of(pid_t process)
{
    char text[PROCESS_STAT];
    const char *stat = process_stat(process, text);
    int parent = 0;

    return stat != NULL && sscanf(stat, ") %*c %d", &parent) == 1 ? parent : 0;
}

bool children_searched(struct children *children)
{
    const struct dirent *entry;
    DIR *processes = opendir("/proc");

    *children = (struct children){0};
    if (processes == NULL)
        return false;
    while ((entry = readdir(processes)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]) &&
            parent_of((pid_t)atoi(entry->d_name)) == getpid())
            add(children, (pid_t)atoi(entry->d_name));
    closedir(processes);
    return true;
}

void children_clear(struct children *children)
{
    free(children->pid);
    *children = (struct children){0};
}
