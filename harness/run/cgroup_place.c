/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where groups of tasks can be made.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "harness/run/cgroup.h"
#include "harness/run/cgroup_private.h"
#include "lib/base/memory.h"

#define SUPERVISOR "arenabench-supervisor"

const struct cgroup_system cgroup_of_this_process = {"/proc/self/cgroup", "/proc/self/mountinfo"};

/* --- paths --- */

/* "\040" and its like stand for what would end a word.  */
static void unescape(char *text)
{
    char *out = text;

    for (const char *in = text; *in != '\0'; in++) {
        unsigned code;

        if (in[0] == '\\' && sscanf(in + 1, "%3o", &code) == 1 && strspn(in + 1, "01234567") >= 3) {
            *out++ = (char)code;
            in += 3;
        } else {
            *out++ = *in;
        }
    }
    *out = '\0';
}

/* The first mount of control groups of version 2: which part of their tree (*ROOT) stands in which
 * folder (*POINT).  The caller frees both, which are NULL where there is none.  */
static void find_mount(const char *mounts, char **root, char **point)
{
    FILE *in = fopen(mounts, "re");
    char *line = NULL;
    size_t capacity = 0;

    *root = *point = NULL;
    while (in != NULL && *point == NULL && getline(&line, &capacity, in) > 0) {
        const char *type = strstr(line, " - ");

        if (type == NULL || strncmp(type, " - cgroup2 ", strlen(" - cgroup2 ")) != 0)
            continue;
        if (sscanf(line, "%*s %*s %*s %ms %ms", root, point) != 2) {
            free(*root);
            *root = NULL;
        }
    }
    free(line);
    if (in != NULL)
        fclose(in);
    if (*point == NULL)
        return;
    unescape(*root);
    unescape(*point);
}

/* The group of version 2 in a list of a process's groups; the caller frees it.  NULL: none.  */
static char *find_own(const char *list)
{
    FILE *in = fopen(list, "re");
    char *line = NULL, *own = NULL;
    size_t capacity = 0;

    while (in != NULL && own == NULL && getline(&line, &capacity, in) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::/", 4) == 0)
            own = memory_strdup(line + 3);
    }
    free(line);
    if (in != NULL)
        fclose(in);
    return own;
}

/* The folder of OWN, which is named from the tree's root on, where ROOT of that tree stands in
 * POINT.  NULL: it is not there.  */
static char *folder_of(const char *own, const char *root, const char *point)
{
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);

    /* "/..": a container sees a part of the tree that its process is not in.  */
    if (strncmp(own, root, length) != 0 || (own[length] != '/' && own[length] != '\0') ||
        strncmp(own + length, "/..", 3) == 0)
        return NULL;
    return memory_printf("%s%s", point, strcmp(own + length, "/") == 0 ? "" : own + length);
}

/* --- groups --- */

static bool says(const char *folder, const char *file, const char *word)
{
    char *text = cgroup_read(folder, file);
    const bool there = cgroup_has_word(text, word);

    free(text);
    return there;
}

static bool may_write(const char *folder, const char *file)
{
    char *path = memory_printf("%s/%s", folder, file);
    const bool may = access(path, W_OK) == 0;

    free(path);
    return may;
}

/* The root of the whole tree has no type, and hands controllers on in spite of its processes.  */
static bool is_root(const char *folder)
{
    char *type = cgroup_read(folder, "cgroup.type");
    const bool root = type == NULL;

    free(type);
    return root;
}

/* Whether groups with a limit of memory can be made in FOLDER now.  */
static bool takes_groups(const char *folder)
{
    if (access(folder, W_OK) != 0 || !may_write(folder, "cgroup.procs"))
        return false;
    return says(folder, "cgroup.subtree_control", "memory") ||
           (is_root(folder) && says(folder, "cgroup.controllers", "memory") &&
            cgroup_write(folder, "cgroup.subtree_control", "+memory"));
}

/* Whether what is in FOLDER is for us to arrange: systemd says so, or nobody else is there.  */
static bool is_ours(const char *folder)
{
    static const char *const attribute[] = {"user.delegate", "trusted.delegate"};
    char value[8], self[24], *processes;
    bool alone;

    for (size_t i = 0; i < sizeof attribute / sizeof attribute[0]; i++)
        if (getxattr(folder, attribute[i], value, sizeof value) == 1 && value[0] == '1')
            return true;
    processes = cgroup_read(folder, "cgroup.procs");
    snprintf(self, sizeof self, "%d\n", (int)getpid());
    alone = processes != NULL && strcmp(processes, self) == 0;
    free(processes);
    return alone;
}

/* Moves all processes of FROM into TO; some may be born meanwhile.  */
static void move_processes(const char *from, const char *to)
{
    char *processes = cgroup_read(from, "cgroup.procs"), *rest = processes, *process;

    while ((process = strsep(&rest, "\n")) != NULL)
        if (process[0] != '\0')
            (void)cgroup_write(to, "cgroup.procs", process);
    free(processes);
}

/* Gives FOLDER's processes a group of their own below it, so that it can hand the controller on.
 * False, and all is as before, where that can't be.  */
static bool split(const char *folder)
{
    enum { TRIES = 10 };
    char *supervisor = memory_printf("%s/" SUPERVISOR, folder);
    bool done = false;

    if (mkdir(supervisor, 0755) == 0 || errno == EEXIST) {
        for (int i = 0; !done && i < TRIES; i++) {
            move_processes(folder, supervisor);
            done = cgroup_write(folder, "cgroup.subtree_control", "+memory");
        }
        if (!done) {
            move_processes(supervisor, folder);
            rmdir(supervisor);
        }
    }
    free(supervisor);
    return done;
}

/* --- the place --- */

static char *cut(char *folder)
{
    *strrchr(folder, '/') = '\0';
    return folder;
}

static bool ends_in(const char *folder, const char *name)
{
    const char *slash = strrchr(folder, '/');

    return slash != NULL && strcmp(slash + 1, name) == 0;
}

/* FOLDER itself or the nearest one above it that will do, POINT being the last.  Takes FOLDER
 * over.  */
static char *climb(char *folder, const char *point, struct error *reason)
{
    if (ends_in(folder, SUPERVISOR))
        cut(folder);
    if (takes_groups(folder) || (is_ours(folder) && split(folder) && takes_groups(folder)))
        return folder;
    while (strlen(folder) > strlen(point)) {
        char *limit = cgroup_read(folder, "memory.max");
        const bool limited = limit != NULL && strcmp(limit, "max\n") != 0;

        free(limit);
        if (limited) {
            error_set(reason, "%.150s has a limit of memory and is shared with others", folder);
            free(folder);
            return NULL;
        }
        if (takes_groups(cut(folder)))
            return folder;
    }
    error_set(reason, "no control group here was delegated to this process");
    free(folder);
    return NULL;
}

char *cgroup_place(const struct cgroup_system *system, struct error *reason)
{
    char *own = find_own(system->own), *root, *point, *folder = NULL;

    find_mount(system->mounts, &root, &point);
    if (own == NULL || point == NULL)
        error_set(reason, "there are no control groups of version 2");
    else if (!says(point, "cgroup.controllers", "memory"))
        error_set(reason, "control groups of version 2 do not limit memory here");
    else if (strstr(own, "/" CGROUP_TASK) != NULL)
        error_set(reason, "this is a task of another arenabench");
    else if ((folder = folder_of(own, root, point)) == NULL)
        error_set(reason, "the control group of this process is not in %.150s", point);
    else
        folder = climb(folder, point, reason);
    free(own);
    free(root);
    free(point);
    return folder;
}
