/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/tree.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/io/process.h"
#include "harness/run/children.h"
#include "harness/run/process_stat.h"

/* All descendants, each behind its parent.  Those of LEFT_OUT stand there, itself does not count.
 * Kernels without lists have one more look at all processes for the children of this one only.  */
static void find_tree(struct children *tree)
{
    if (!children_listed(tree)) {
        children_searched(tree);
        return;
    }
    for (size_t i = 0; i < tree->count; i++)
        children_add(tree, tree->pid[i]);
}

struct usage {
    int64_t pages;    /* of its address space; 0: it has ended */
    int64_t resident; /* bytes */
};

static struct usage usage_of(pid_t process)
{
    struct usage usage = {0, 0};
    char path[64];
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    in = fopen(path, "re");
    if (in == NULL)
        return usage;
    if (fscanf(in, "%" SCNd64 " %" SCNd64, &usage.pages, &usage.resident) != 2)
        usage = (struct usage){0, 0};
    fclose(in);
    usage.resident *= sysconf(_SC_PAGESIZE);
    return usage;
}

/* Bytes with its part of what it shares; where the kernel does not say, with all of that.  */
static int64_t proportional(pid_t process, int64_t resident)
{
    char path[64], line[256];
    int64_t kib = -1;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)process);
    in = fopen(path, "re");
    if (in == NULL)
        return resident;
    while (kib < 0 && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "Pss: %" SCNd64, &kib) != 1)
            kib = -1;
    fclose(in);
    return kib < 0 ? resident : 1024 * kib;
}

/* Calls VISIT for each of them.  A child that has not come to its exec yet is in its parent's
 * memory, which is not its own: what is exactly as large as LEFT_OUT is left out too.  */
static void visit_tree(pid_t left_out, void visit(pid_t process, int64_t resident, void *context),
                       void *context)
{
    const int64_t pages = usage_of(left_out).pages;
    struct children tree;

    find_tree(&tree);
    for (size_t i = 0; i < tree.count; i++) {
        struct usage usage = usage_of(tree.pid[i]);

        if (tree.pid[i] != left_out && usage.pages != pages)
            visit(tree.pid[i], usage.resident, context);
    }
    children_clear(&tree);
}

static void add_resident(pid_t process, int64_t resident, void *context)
{
    (void)process;
    *(int64_t *)context += resident;
}

static void add_proportional(pid_t process, int64_t resident, void *context)
{
    *(int64_t *)context += proportional(process, resident);
}

static void send(pid_t process, int64_t resident, void *context)
{
    (void)resident;
    kill(process, *(const int *)context);
}

int64_t tree_resident(pid_t left_out)
{
    int64_t bytes = 0;

    visit_tree(left_out, add_resident, &bytes);
    return bytes;
}

int64_t tree_proportional(pid_t left_out)
{
    int64_t bytes = 0;

    visit_tree(left_out, add_proportional, &bytes);
    return bytes;
}

/* Of a process and of those that it has waited for, in ticks.  */
static int64_t ticks_of(pid_t process)
{
    int64_t user, system, waited_user, waited_system;
    char text[PROCESS_STAT];
    const char *stat = process_stat(process, text);

    if (stat == NULL || sscanf(stat,
                               ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNd64 " %" SCNd64
                               " %" SCNd64 " %" SCNd64,
                               &user, &system, &waited_user, &waited_system) != 4)
        return 0;
    return user + system + waited_user + waited_system;
}

double tree_cpu_s(void)
{
    struct rusage waited = {0};
    struct children tree;
    int64_t ticks = 0;

    find_tree(&tree);
    for (size_t i = 0; i < tree.count; i++)
        ticks += ticks_of(tree.pid[i]);
    children_clear(&tree);
    getrusage(RUSAGE_CHILDREN, &waited);
    return process_seconds(&waited) + (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

void tree_signal(pid_t left_out, int number)
{
    visit_tree(left_out, send, &number);
}
