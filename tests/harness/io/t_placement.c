/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which processors threads get, on machines that libhwloc makes up: hand-worked ones, and random
 * ones against rules that say what a choice must be.  */
#include <config.h>

#include "harness/io/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/io/process.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/support/tap.h"

/* The machine that libhwloc tells of until the next call; NULL: this one.  */
static void pretend(const char *machine)
{
    if (machine != NULL)
        setenv("HWLOC_SYNTHETIC", machine, 1);
    else
        unsetenv("HWLOC_SYNTHETIC");
}

static cpu_set_t set_of(const char *numbers)
{
    cpu_set_t set;
    int cpu, length;

    CPU_ZERO(&set);
    for (; sscanf(numbers, "%d%n", &cpu, &length) == 1; numbers += length)
        CPU_SET((size_t)cpu, &set);
    return set;
}

static char *text_of(const cpu_set_t *set)
{
    char *text = memory_strdup("");

    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, set))
            text = memory_append(text, "%s%d", text[0] == '\0' ? "" : " ", cpu);
    return text;
}

static void is_set(const cpu_set_t *set, const char *numbers, const char *what, size_t number)
{
    char *text = text_of(set);

    is_text(text, numbers, "%s %zu", what, number);
    free(text);
}

/* --- by hand --- */

/* Two nodes of two cores of two processors, numbered as Linux often does: first of each core the
 * one, then the other.  */
static const char two_nodes[] = "numa:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)";

static void test_find(void)
{
    const cpu_set_t allowed = set_of("0 1 2 3 4 5 6 7");
    size_t count;
    struct placement_spot *spot = placement_find(&allowed, &count);
    char *text = memory_strdup("");

    for (size_t i = 0; i < count; i++)
        text = memory_append(text, "%d@%d.%d.%d ", spot[i].processor, spot[i].node, spot[i].core,
                             spot[i].thread);
    is_text(text, "0@0.0.0 4@0.0.1 1@0.1.0 5@0.1.1 2@1.2.0 6@1.2.1 3@1.3.0 7@1.3.1 ",
            "processors by node and core");
    free(text);
    free(spot);
}

struct choice {
    const char *allowed;
    size_t threads, nodes;
    const char *chosen;
};

static void test_choices(void)
{
    static const struct choice choices[] = {
        {"0 1 2 3 4 5 6 7", 1, 1, "0"},
        {"0 1 2 3 4 5 6 7", 2, 1, "0 1"},
        {"0 1 2 3 4 5 6 7", 3, 2, "0 1 2"},
        {"0 1 2 3 4 5 6 7", 4, 2, "0 1 2 3"},
        {"0 1 2 3 4 5 6 7", 5, 2, "0 1 2 3 4"},
        {"0 1 2 3 4 5 6 7", 8, 2, "0 1 2 3 4 5 6 7"},
        {"1 2 3 6 7", 1, 1, "1"},
        {"1 2 3 6 7", 2, 1, "2 3"}, /* the first node has one core only */
        {"1 2 3 6 7", 3, 2, "1 2 3"},
        {"1 2 3 6 7", 4, 2, "1 2 3 6"},
        {"4 5 6", 2, 1, "4 5"}, /* without the first of a core the second counts */
        {"3 7", 2, 1, "3 7"},
    };

    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const struct choice *c = &choices[i];
        const cpu_set_t allowed = set_of(c->allowed);
        cpu_set_t chosen;
        size_t count;
        struct placement_spot *spot = placement_find(&allowed, &count);

        is_int((int64_t)placement_choose(spot, count, c->threads, &chosen), (int64_t)c->nodes,
               "%zu of %s: nodes", c->threads, c->allowed);
        is_set(&chosen, c->chosen, c->allowed, c->threads);
        free(spot);
    }
}

static void test_hand_shares(void)
{
    static const char *const four[] = {"0 4", "1 5", "2 6", "3 7"};
    static const char *const three[] = {"0 4", "1 2 5", "3 6 7"};
    const cpu_set_t allowed = set_of("0 1 2 3 4 5 6 7");
    size_t count;
    struct placement_spot *spot = placement_find(&allowed, &count);
    cpu_set_t chosen;

    for (size_t share = 0; share < 4; share++) {
        placement_share(spot, count, share, 4, &chosen);
        is_set(&chosen, four[share], "a core for each of four, share", share);
    }
    for (size_t share = 0; share < 3; share++) {
        placement_share(spot, count, share, 3, &chosen);
        is_set(&chosen, three[share], "three shares, share", share);
    }
    placement_share(spot, count, 9, 10, &chosen);
    is_set(&chosen, "4", "more shares than processors, share", 9);
    free(spot);
}

/* --- random machines --- */

enum { MACHINES = 60, MOST = 4 };

struct made {
    int nodes, cores, threads; /* of each node, of each core */
};

static int core_of(const struct made *made, int processor)
{
    return processor / made->threads;
}

static int node_of(const struct made *made, int processor)
{
    return core_of(made, processor) / made->cores;
}

/* Cores of a node, or with -1 of all, that have a processor in SET.  */
static int count_cores(const struct made *made, const cpu_set_t *set, int node)
{
    bool seen[MOST * MOST] = {false};
    int count = 0;

    for (int cpu = 0; cpu < made->nodes * made->cores * made->threads; cpu++)
        if (CPU_ISSET((size_t)cpu, set) && (node < 0 || node_of(made, cpu) == node))
            seen[core_of(made, cpu)] = true;
    for (int core = 0; core < MOST * MOST; core++)
        count += seen[core];
    return count;
}

static int count_nodes(const struct made *made, const cpu_set_t *set)
{
    int count = 0;

    for (int node = 0; node < made->nodes; node++)
        count += count_cores(made, set, node) > 0;
    return count;
}

/* As many as asked for, of those allowed; as many cores as there can be; one node if one can do. */
static bool is_right(const struct made *made, const cpu_set_t *allowed, int threads,
                     const cpu_set_t *chosen, size_t nodes)
{
    const int all = count_cores(made, allowed, -1);
    bool one = false;
    cpu_set_t both;

    CPU_AND(&both, allowed, chosen);
    for (int node = 0; node < made->nodes; node++)
        one |= count_cores(made, allowed, node) >= threads;
    return CPU_EQUAL(&both, chosen) && CPU_COUNT(chosen) == threads &&
           count_cores(made, chosen, -1) == (threads < all ? threads : all) &&
           count_nodes(made, chosen) == (int)nodes && (!one || nodes == 1);
}

static void test_random(struct rng *rng)
{
    int wrong = 0, choices = 0;

    for (int machine = 0; machine < MACHINES; machine++) {
        const struct made made = {(int)rng_range(rng, 1, MOST), (int)rng_range(rng, 1, MOST),
                                  (int)rng_range(rng, 1, MOST)};
        const int processors = made.nodes * made.cores * made.threads;
        struct placement_spot *spot;
        cpu_set_t allowed, chosen;
        char text[64];
        size_t count;

        snprintf(text, sizeof text, "numa:%d core:%d pu:%d", made.nodes, made.cores, made.threads);
        pretend(text);
        CPU_ZERO(&allowed);
        CPU_SET((size_t)rng_range(rng, 0, processors - 1), &allowed);
        for (int cpu = 0; cpu < processors; cpu++)
            if (rng_range(rng, 0, 2) > 0)
                CPU_SET((size_t)cpu, &allowed);
        spot = placement_find(&allowed, &count);
        for (size_t threads = 1; threads <= count; threads++, choices++) {
            const size_t nodes = placement_choose(spot, count, threads, &chosen);

            wrong += !is_right(&made, &allowed, (int)threads, &chosen, nodes);
        }
        free(spot);
    }
    pretend(NULL);
    is_int(wrong, 0, "%d choices on %d machines are as they must be", choices, MACHINES);
}

/* --- this machine --- */

struct share {
    size_t number, of;
};

/* Tells which processors a share of ours is.  */
static void pin_share(void *context, int socket)
{
    const struct share *share = context;
    cpu_set_t set;

    CPU_ZERO(&set);
    if (placement_bind_share(share->number, share->of))
        sched_getaffinity(0, sizeof set, &set);
    send(socket, &set, sizeof set, MSG_NOSIGNAL);
}

/* OF shares together are all processors, and have none twice as long as there are enough.  */
static void test_shares(size_t of)
{
    cpu_set_t all, seen, both;
    size_t most = 0, least = SIZE_MAX, twice = 0;

    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&seen);
    for (size_t number = 0; number < of; number++) {
        struct share share = {number, of};
        struct process process;
        cpu_set_t set;
        size_t count;

        CPU_ZERO(&set);
        process_start(&process, PROCESS_TALKS, pin_share, &share, NULL);
        ok(read(process.fd, &set, sizeof set) == (ssize_t)sizeof set && CPU_COUNT(&set) > 0,
           "share %zu of %zu has a processor", number, of);
        process_wait(&process, NULL);
        count = (size_t)CPU_COUNT(&set);
        most = count > most ? count : most;
        least = count < least ? count : least;
        CPU_AND(&both, &seen, &set);
        twice += (size_t)CPU_COUNT(&both);
        CPU_OR(&seen, &seen, &set);
    }
    ok(of > (size_t)CPU_COUNT(&all) ? least == 1 && most == 1
                                    : twice == 0 && CPU_EQUAL(&seen, &all),
       "%zu shares are what they should be", of);
    ok(most - least <= 1, "and as good as equal");
}

static void bind_threads(void *context, int socket)
{
    const size_t *threads = context;
    cpu_set_t set;

    CPU_ZERO(&set);
    if (placement_bind(*threads))
        sched_getaffinity(0, sizeof set, &set);
    send(socket, &set, sizeof set, MSG_NOSIGNAL);
}

/* A process that binds itself to so many has them, if there are so many.  */
static void test_bind(size_t threads, bool possible)
{
    struct process process;
    cpu_set_t set;

    CPU_ZERO(&set);
    process_start(&process, PROCESS_TALKS, bind_threads, &threads, NULL);
    ok(read(process.fd, &set, sizeof set) == (ssize_t)sizeof set &&
           CPU_COUNT(&set) == (possible ? (int)threads : 0),
       "%zu threads %s", threads, possible ? "get as many processors" : "are too many");
    process_wait(&process, NULL);
}

static void test_this_machine(void)
{
    cpu_set_t all;
    char *text, end[32];

    sched_getaffinity(0, sizeof all, &all);
    for (size_t threads = 1; threads <= (size_t)CPU_COUNT(&all) + 1; threads++)
        test_bind(threads, threads <= (size_t)CPU_COUNT(&all));
    for (size_t of = 1; of <= 5; of++)
        test_shares(of);
    text = placement_text();
    snprintf(end, sizeof end, "%d processor%s", CPU_COUNT(&all), CPU_COUNT(&all) == 1 ? "" : "s");
    ok(text != NULL && strstr(text, end) != NULL, "this machine: %s", text);
    free(text);
}

int main(void)
{
    const char *absent = HWLOC_ABSENT;
    struct rng *rng = rng_new(1);

    unsetenv("HWLOC_XMLFILE");
    test_this_machine();
    if (absent == NULL) {
        pretend(two_nodes);
        test_find();
        test_choices();
        test_hand_shares();
        test_random(rng);
    } else {
        tap_skip(1, absent);
    }
    rng_free(rng);
    return tap_done();
}
