/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control groups as far as files tell of them: plain folders that look like a tree of groups.  What
 * a kernel does with them is held by make check-cgroup.  */
#include <config.h>

#include "harness/run/cgroup.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/cgroup_private.h"
#include "harness/run/run.h"
#include "lib/base/memory.h"
#include "tests/support/tap.h"

static char *tree; /* the folder where the test's tree is mounted */

/* --- folders that look like groups --- */

static void __attribute__((format(printf, 2, 3))) put(const char *path, const char *format, ...)
{
    char *file = memory_printf("%s%s", tree, path);
    FILE *out = fopen(file, "w");
    va_list args;

    va_start(args, format);
    if (out == NULL || vfprintf(out, format, args) < 0 || fclose(out) != 0) {
        tap_diag("%s: %s", file, strerror(errno));
        exit(99);
    }
    va_end(args);
    free(file);
}

/* A group with the controller of memory; HANDS_ON: to those below it.  */
static void make_group(const char *path, bool hands_on, const char *processes)
{
    char *folder = memory_printf("%s%s", tree, path);

    mkdir(folder, 0755);
    free(folder);
    for (size_t i = 0; i < 5; i++) {
        static const char *const file[] = {"cgroup.controllers", "cgroup.subtree_control",
                                           "cgroup.type", "memory.max", "cgroup.procs"};
        const char *text[] = {"cpuset cpu io memory pids\n", hands_on ? "memory pids\n" : "\n",
                              "domain\n", "max\n", processes};
        char *name = memory_printf("%s/%s", path, file[i]);

        put(name, "%s", text[i]);
        free(name);
    }
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* A new tree, whose root has processes and hands memory on, with /a/b below.  */
static void plant(void)
{
    nftw(tree, drop, 8, FTW_DEPTH | FTW_PHYS);
    mkdir(tree, 0755);
    make_group("", true, "1\n2\n");
    make_group("/a", false, "");
    make_group("/a/b", false, "1\n2\n");
}

/* --- where groups can be made --- */

/* The place for a process whose list of groups is OWN, where MOUNTS are; "-": none, and *REASON
 * says why.  The caller frees it.  */
static char *place_of(const char *own, const char *mounts, struct error *reason)
{
    char *own_file = memory_printf("%s.own", tree), *mounts_file = memory_printf("%s.mounts", tree);
    const struct cgroup_system system = {own_file, mounts_file};
    FILE *out = fopen(own_file, "w"), *table = fopen(mounts_file, "w");
    char *place;

    fputs(own, out);
    fputs(mounts, table);
    fclose(out);
    fclose(table);
    *reason = (struct error){""};
    place = cgroup_place(&system, reason);
    unlink(own_file);
    unlink(mounts_file);
    free(own_file);
    free(mounts_file);
    return place != NULL ? place : memory_strdup("-");
}

/* Checks the place of a process in the group OWN of the tree, "-" for none; below the tree.  */
static void is_place(const char *own, const char *wanted, const char *what)
{
    char *list = memory_printf("7:memory:/x\n1:name=systemd:/y\n0::%s\n", own);
    char *mounts = memory_printf("22 1 8:1 / / rw - ext4 /dev/vda rw\n"
                                 "30 23 0:26 / %s rw,nosuid shared:4 - cgroup2 cgroup2 rw\n",
                                 tree);
    char *full =
        strcmp(wanted, "-") == 0 ? memory_strdup("-") : memory_printf("%s%s", tree, wanted);
    struct error reason;
    char *place = place_of(list, mounts, &reason);

    is_text(place, full, "%s%s%s", what, reason.text[0] == '\0' ? "" : ": ", reason.text);
    free(place);
    free(full);
    free(mounts);
    free(list);
}

static void refused(const char *own, const char *mounts, const char *wanted, const char *what)
{
    struct error reason;
    char *place = place_of(own, mounts, &reason);

    is_text(place, "-", "%s: no place", what);
    is_text(reason.text, wanted, "%s: the reason", what);
    free(place);
}

static void places(void)
{
    char *folder, *type;

    plant();
    is_place("/a/b", "", "the nearest group above that hands memory on");
    is_place("/", "", "the root itself");
    make_group("/a", true, "");
    is_place("/a/b", "/a", "a nearer one");
    make_group("/a/b", true, "1\n");
    is_place("/a/b", "/a/b", "the own one");
    plant();
    make_group("/a/b/arenabench-supervisor", false, "1\n");
    make_group("/a/b", true, "");
    is_place("/a/b/arenabench-supervisor", "/a/b", "beside the group into which we were moved");
    plant();
    make_group("/a", true, "");
    make_group("/a/arenabench-task-7-0", true, "");
    make_group("/a/arenabench-task-7-0/c", true, "");
    is_place("/a/arenabench-task-7-0/c", "-", "a task stays in its own");
    plant();
    put("/a/memory.max", "1000000\n");
    is_place("/a/b", "-", "none above a group with a limit");
    make_group("/a", true, "");
    put("/a/memory.max", "1000000\n");
    is_place("/a/b", "/a", "but in it");
    plant();
    put("/cgroup.subtree_control", "memoryless cpu\n");
    is_place("/a/b", "-", "a word that begins as the controller's is another one");
    type = memory_printf("%s/cgroup.type", tree);
    unlink(type);
    is_place("/a/b", "", "the root of all may be told to hand it on");
    folder = cgroup_read(tree, "cgroup.subtree_control");
    ok(folder != NULL && strncmp(folder, "+memory", 7) == 0, "and is");
    free(folder);
    free(type);
}

/* A group with this process alone is split.  */
static void splitting(void)
{
    char *text, *folder = memory_printf("%s/a/b", tree), own[32];
    char *supervisor = memory_printf("%s/arenabench-supervisor", folder);

    plant();
    snprintf(own, sizeof own, "%d\n", (int)getpid());
    make_group("/a/b", false, own);
    make_group("/a/b/arenabench-supervisor", false, "");
    put("/cgroup.subtree_control", "\n");
    /* A plain file does not take the controller over, so all is as before and there is no place. */
    is_place("/a/b", "-", "a group that can't be split");
    text = cgroup_read(supervisor, "cgroup.procs");
    own[strcspn(own, "\n")] = '\0';
    is_text(text, own, "this process was moved");
    free(text);
    text = cgroup_read(folder, "cgroup.subtree_control");
    ok(text != NULL && strncmp(text, "+memory", 7) == 0, "and the controller asked for");
    free(text);
    plant();
    make_group("/a/b", false, "1\n");
    make_group("/a/b/arenabench-supervisor", false, "");
    is_place("/a/b", "", "a group of others is left alone");
    text = cgroup_read(supervisor, "cgroup.procs");
    is_text(text, "", "nobody was moved");
    free(text);
    free(supervisor);
    free(folder);
}

static void without(void)
{
    const char *version_2 = "there are no control groups of version 2";
    char *mounts = memory_printf("30 23 0:26 / %s rw - cgroup2 cgroup2 rw\n", tree);
    char *part = memory_printf("30 23 0:26 /a %s rw - cgroup2 cgroup2 rw\n", tree);
    char *outside = memory_printf("the control group of this process is not in %s", tree);
    struct error reason;
    char *place;

    plant();
    refused("", mounts, version_2, "no list");
    refused("3:memory:/x\n", mounts, version_2, "a list of version 1");
    refused("0::/a\n", "", version_2, "no mounts");
    refused("0::/a\n", "30 23 0:26 / /sys rw - cgroup cgroup rw,memory\n", version_2,
            "mounts of version 1");
    refused("0::/a\n", "30 23 - cgroup2\n", version_2, "a mount that is cut");
    refused("0::/a\n", " - cgroup2 cgroup2 rw\n", version_2, "one without a folder");
    refused("0::/../x\n", mounts, outside, "a group outside of the container's");
    refused("0::/ab\n", part, outside, "a name that begins as that of the mounted part");
    make_group("", true, "1\n");
    place = place_of("0::/a\n", part, &reason);
    is_text(place, tree, "the part that is mounted is the tree");
    free(place);
    put("/cgroup.controllers", "cpu pids\n");
    refused("0::/a\n", mounts, "control groups of version 2 do not limit memory here",
            "no controller of memory");
    free(outside);
    free(part);
    free(mounts);
}

static void escapes(void)
{
    char *plain = tree, *mounts, *place;
    struct error reason;

    tree = memory_printf("%s two words", plain);
    plant();
    mounts = memory_printf("30 23 0:26 / %s\\040two\\040words rw - cgroup2 cgroup2 rw\n", plain);
    place = place_of("0::/a/b\n", mounts, &reason);
    is_text(place, tree, "a folder with blanks");
    nftw(tree, drop, 8, FTW_DEPTH | FTW_PHYS);
    free(place);
    free(mounts);
    free(tree);
    tree = plain;
}

/* --- a task's group --- */

static void uses(void)
{
    char *path = memory_printf("%s/a", tree);
    const struct cgroup cgroup = {path, NULL};
    struct cgroup_use use;

    plant();
    cgroup_look(&cgroup, &use);
    ok(use.memory == 0 && use.kills == 0 && use.cpu_s == 0.0, "what is not said is 0");
    put("/a/memory.peak", "123456789012\n");
    put("/a/memory.events", "oom 2\noom_kill7 9\noom_kill 3\noom_group_kill 1\n");
    put("/a/cpu.stat", "nice_usec 9\nusage_usec 2500000\nuser_usec 2000000\n");
    cgroup_look(&cgroup, &use);
    is_int(use.memory, 123456789012, "the most memory");
    is_int(use.kills, 3, "processes that were killed, not times that it was short");
    ok(use.cpu_s == 2.5, "processor time");
    put("/a/memory.events", "oom_kill");
    put("/a/memory.peak", "max\n");
    put("/a/cpu.stat", "usage_usec x\n");
    cgroup_look(&cgroup, &use);
    ok(use.memory == 0 && use.kills == 0 && use.cpu_s == 0.0, "what is no number is 0");
    free(path);
}

/* The limit of the group that this process is in, as a container has it.  */
static void limits(void)
{
    const int64_t all = run_default_memory(1), half = run_default_memory(2);

    plant();
    ok(run_group_memory("/nowhere") == INT64_MAX && run_group_memory(tree) == INT64_MAX,
       "no file, and one that says max: no limit");
    put("/memory.max", "123456789012\n");
    is_int(run_group_memory(tree), 123456789012, "version 2");
    make_group("/memory", false, "");
    put("/memory/memory.limit_in_bytes", "123456789\n");
    is_int(run_group_memory(tree), 123456789, "both: the smaller one");
    put("/memory.max", "max\n");
    is_int(run_group_memory(tree), 123456789, "version 1");
    put("/memory/memory.limit_in_bytes", "-1\n");
    ok(run_group_memory(tree) == INT64_MAX, "what is no number of bytes is none");
    ok(all > 0 && all <= sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE) / 2 &&
           half == all / 2,
       "half of what there is, for all runs at a time together");
}

/* A plain folder takes no limit: what was made is gone again.  */
static void making(void)
{
    char *path = memory_printf("%s/arenabench-task-%d-0", tree, (int)getpid());
    struct cgroup cgroup;
    struct error error = {""};

    plant();
    ok(!cgroup_make(&cgroup, tree, 1000, &error) && cgroup.path == NULL, "no limit, no group: %s",
       error.text);
    ok(access(path, F_OK) != 0, "nothing is left of it");
    ok(!cgroup_make(&cgroup, "/nowhere", 1000, &error) && strstr(error.text, "/nowhere") != NULL,
       "no folder, no group: %s", error.text);
    free(path);
}

/* Kernels without cgroup.kill: the processes that the list names.  */
static void killing(void)
{
    char *path = memory_printf("%s/a", tree);
    const struct cgroup cgroup = {path, NULL};
    const pid_t child = tap_fork();
    int status = 0;

    if (child == 0)
        for (;;)
            pause();
    plant();
    put("/a/cgroup.procs", "0\n%d\n", (int)child);
    cgroup_kill(&cgroup);
    waitpid(child, &status, 0);
    ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "killed one by one");
    put("/a/cgroup.kill", "%s", "");
    put("/a/cgroup.procs", "%s", "");
    cgroup_kill(&cgroup);
    free(path);
    path = cgroup_read(tree, "a/cgroup.kill");
    is_text(path, "1", "or all at once");
    free(path);
}

int main(void)
{
    const char *scratch = getenv("TMPDIR");

    tree = memory_printf("%s/t_cgroup.XXXXXX", scratch == NULL ? "/tmp" : scratch);
    if (mkdtemp(tree) == NULL)
        return 99;
    places();
    splitting();
    without();
    escapes();
    uses();
    limits();
    making();
    killing();
    nftw(tree, drop, 8, FTW_DEPTH | FTW_PHYS);
    free(tree);
    return tap_done();
}
