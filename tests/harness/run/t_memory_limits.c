/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limit of memory of a program and all that it starts: what its processes have together,
 * however they are related, and what the end is called.  The programs are this test itself:
 *
 *   t_memory_limits.t eat FILE PROCESSES MIB    processes that each fill as much and stay
 *   t_memory_limits.t leave FILE PROCESSES MIB  the same in sessions of their own, without a parent
 *   t_memory_limits.t share FILE PROCESSES MIB  processes that share as much
 *
 * FILE is an array of int64_t, in which each process counts its bytes.  */
#include <config.h>

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"

#define MIB (INT64_C(1) << 20)

/* In FILE: bytes and process numbers.  */
enum { MOST_PROCESSES = 64 };
struct counts {
    int64_t bytes[MOST_PROCESSES], pid[MOST_PROCESSES];
};

static struct counts *open_counts(const char *file)
{
    int fd = open(file, O_RDWR);
    void *counts = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (fd < 0 || counts == MAP_FAILED)
        exit(99);
    return counts;
}

/* --- the programs --- */

static void fill(struct counts *counts, int process, int64_t bytes)
{
    char *memory =
        mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        exit(98);
    for (int64_t at = 0; at < bytes; at += 65536) {
        memset(memory + at, 1 + process, 65536);
        counts->bytes[process] += 65536;
    }
}

static void stay(struct counts *counts, int process, int64_t bytes)
{
    counts->pid[process] = getpid();
    fill(counts, process, bytes);
    for (;;)
        pause();
}

static int be_program(const char *how, const char *file, int processes, int64_t bytes)
{
    struct counts *counts = open_counts(file);
    const char *plan = "id,offset\na,0\nb,0\nc,10\n";

    if (strcmp(how, "share") == 0)
        fill(counts, 0, bytes);
    for (int p = 0; p < processes; p++) {
        if (fork() != 0)
            continue;
        if (strcmp(how, "leave") == 0) {
            setsid();
            if (fork() != 0)
                _exit(0);
        }
        stay(counts, p, strcmp(how, "share") == 0 ? 0 : bytes);
    }
    if (strcmp(how, "share") == 0) {
        usleep(300000); /* looked at many times */
        fputs(plan, stdout);
        return 0;
    }
    for (;;)
        pause();
}

/* --- the runs --- */

static struct run_result *run(const char *command, int64_t limit)
{
    char *spec = memory_printf("exec:%s", command);
    const struct run_limits limits = {.memory_bytes = limit};
    struct instance *instance = three(1);
    struct run_result *result = spec_run(spec, instance, &limits);

    instance_free(instance);
    free(spec);
    return result;
}

/* Runs the program with an empty FILE of counts, which come back.  */
static struct counts run_program(const char *how, const char *file, int processes, int64_t mib,
                                 int64_t limit, struct run_result **result)
{
    char self[4096] = "", *command;
    struct counts counts = {0}, *left;
    FILE *out = fopen(file, "w");

    if (out == NULL || fwrite(&counts, sizeof counts, 1, out) != 1 || fclose(out) != 0 ||
        readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        exit(99);
    command = memory_printf("'%s' %s '%s' %d %" PRId64, self, how, file, processes, mib);
    *result = run(command, limit);
    free(command);
    left = open_counts(file);
    counts = *left;
    munmap(left, sizeof *left);
    return counts;
}

static void exceeds(const char *how, const char *file, int processes, int64_t mib,
                    int64_t limit_mib)
{
    struct run_result *result;
    struct counts counts = run_program(how, file, processes, mib, limit_mib * MIB, &result);
    int64_t bytes = 0;
    int alive = 0;

    for (int p = 0; p < processes; p++) {
        bytes += counts.bytes[p];
        alive += counts.pid[p] > 0 && kill((pid_t)counts.pid[p], 0) == 0;
    }
    is_text(outcome_name(result->outcome), "memout", "%s: %d times %" PRId64 " MiB below %" PRId64,
            how, processes, mib, limit_mib);
    is_text(result->reason, "killed at the limit of memory, which all its processes share",
            "%s: the reason", how);
    is_int(alive, 0, "%s: nothing is left", how);
    /* How much more than the limit hangs on the machine; all of it is another matter.  */
    ok(bytes < processes * mib * MIB, "%s: they were ended in the middle", how);
    tap_diag("%s: %d x %" PRId64 " MiB below %" PRId64 ": %.2f MiB were filled, %.2f MiB seen", how,
             processes, mib, limit_mib, (double)bytes / (double)MIB,
             (double)result->rss_bytes / (double)MIB);
}

#ifndef WITH_SANITIZERS
static void below_the_limit(const char *file)
{
    struct run_result *result;

    run_program("share", file, 8, 40, 64 * MIB, &result);
    is_text(outcome_name(result->outcome), "optimal",
            "8 that share 40 MiB have 40 MiB, not 320: %s", result->reason);
    ok(result->rss_bytes >= 40 * MIB && result->rss_bytes < 64 * MIB,
       "and that is what is noted: %" PRId64, result->rss_bytes);
    run_program("share", file, 8, 80, 64 * MIB, &result);
    is_text(outcome_name(result->outcome), "memout", "8 that share 80 MiB have too much for 64");
}

#endif

static void other_ends(void)
{
    struct run_result *result;
    int left = 0;
    FILE *in;

    result = run("kill -9 $PPID; sleep 60", 64 * MIB);
    is_outcome(result, OUTCOME_CRASHED, "a program that kills its parent crashes");
    is_text(result->reason, "killed by signal 9 (Killed)", "and nothing else is the reason");
    result = run("setsid sleep 1000 & echo $! >'t_memory_limits.pid';"
                 " kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60",
                 64 * MIB);
    is_outcome(result, OUTCOME_CRASHED, "one that kills who looks after it too");
    in = fopen("t_memory_limits.pid", "r");
    ok(in != NULL && fscanf(in, "%d", &left) == 1 && kill(left, 0) != 0, "nothing is left of it");
    if (in != NULL)
        fclose(in);
    unlink("t_memory_limits.pid");
    result = run("kill -9 $$", 64 * MIB);
    is_outcome(result, OUTCOME_CRASHED, "one that kills itself too");
}

int main(int argc, char **argv)
{
    char file[] = "/tmp/t_memory_limits.XXXXXX";
    int fd;

    if (argc == 5)
        return be_program(argv[1], argv[2], atoi(argv[3]), atoll(argv[4]) * MIB);
    fd = mkstemp(file);
    if (fd < 0)
        return 99;
    close(fd);
    exceeds("eat", file, 8, 200, 256);
    exceeds("eat", file, 1, 200, 64);
    exceeds("eat", file, 8, 200, 64);
    exceeds("leave", file, 8, 200, 64);
#ifdef WITH_SANITIZERS
    tap_skip(3, "sanitizers need memory of their own in each process");
#else
    below_the_limit(file);
#endif
    other_ends();
    unlink(file);
    return tap_done();
}
