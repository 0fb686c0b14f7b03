/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several threads call the library at once, each for plans, proofs, capacities and a
 * session of its own, with all that it may be told: for `make arenaplan-threads`, where
 * ThreadSanitizer looks on.  Ends with status 1 where arenaplan_check refuses a plan.  */
#include <config.h>

#include <arenaplan.h>
#include <pthread.h>
#include <stdio.h>

enum { CALLERS = 3, ROUNDS = 12, COUNT = 40 };

struct caller {
    uint64_t state;
    long told;
    bool wrong;
};

static int64_t draw(struct caller *caller, int64_t below)
{
    caller->state = caller->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((caller->state >> 33) % (uint64_t)below);
}

static void hear_plan(void *context, const int64_t *offset, size_t count, int64_t peak)
{
    struct caller *caller = context;

    caller->told += count > 0 && offset[0] <= peak;
}

static void hear_bound(void *context, int64_t bound)
{
    struct caller *caller = context;

    caller->told += bound > 0;
}

static bool go_on(void *context)
{
    struct caller *caller = context;

    caller->told++;
    return false;
}

static void judge(struct caller *caller, enum arenaplan_status status,
                  const struct arenaplan_problem *problem, const int64_t *offset)
{
    caller->wrong =
        caller->wrong || (status <= ARENAPLAN_FEASIBLE
                              ? arenaplan_check(problem, NULL, offset, NULL) != ARENAPLAN_FEASIBLE
                              : status != ARENAPLAN_INTERRUPTED && status != ARENAPLAN_INFEASIBLE);
}

/* In a memory that holds half of what is needed, and one that holds all.  */
static void call_assign(struct caller *caller, const struct arenaplan_problem *problem,
                        const struct arenaplan_options *options, int64_t load)
{
    const struct arenaplan_memory memory[] = {{load / 2, 0, 1, 1}, {ARENAPLAN_UNLIMITED, 0, 5, 5}};
    struct arenaplan_memories memories = ARENAPLAN_MEMORIES(memory, 2, NULL);
    struct arenaplan_assignment assignment = ARENAPLAN_ASSIGNMENT;
    int64_t offset[COUNT];
    size_t lies[COUNT];
    enum arenaplan_status status =
        arenaplan_assign(problem, &memories, options, lies, offset, &assignment);

    caller->wrong =
        caller->wrong || status > ARENAPLAN_FEASIBLE || assignment.lower_bound > assignment.cost;
}

static void call_all(struct caller *caller, struct arenaplan_session *session,
                     const struct arenaplan_problem *problem)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t offset[COUNT];

    options.context = caller;
    options.better = hear_plan;
    options.bound = hear_bound;
    options.stop = go_on;
    options.work = 2000;
    judge(caller, arenaplan_plan(problem, &options, offset, &result), problem, offset);
    judge(caller, arenaplan_plan_again(session, problem, &options, offset, NULL), problem, offset);
    judge(caller, arenaplan_prove(problem, &options, offset, NULL), problem, offset);
    call_assign(caller, problem, &options, result.peak);
    options.seconds = 0.02;
    judge(caller, arenaplan_fits(problem, result.lower_bound, &options, offset, NULL), problem,
          offset);
}

static void *run(void *context)
{
    struct caller *caller = context;
    struct arenaplan_session *session = arenaplan_session_new(NULL);

    for (int round = 0; round < ROUNDS; round++) {
        struct arenaplan_buffer buffer[COUNT];
        struct arenaplan_piece piece[COUNT][2];
        struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, COUNT);

        for (int b = 0; b < COUNT; b++) {
            int64_t begin = draw(caller, 12), end = begin + 2 + draw(caller, 5);

            buffer[b] =
                (struct arenaplan_buffer){.begin = begin, .end = end, .size = 1 + draw(caller, 30)};
            if (round % 3 != 0 || b % 4 != 0)
                continue;
            piece[b][0] = (struct arenaplan_piece){begin, begin + 1, 0, buffer[b].size};
            piece[b][1] = (struct arenaplan_piece){begin + 1, end, 0, 1};
            buffer[b].piece = piece[b];
            buffer[b].pieces = 2;
        }
        call_all(caller, session, &problem);
    }
    arenaplan_session_free(session);
    return NULL;
}

int main(void)
{
    struct caller caller[CALLERS];
    pthread_t thread[CALLERS];
    bool good = true;

    for (int i = 0; i < CALLERS; i++) {
        caller[i] = (struct caller){.state = (uint64_t)i + 1};
        if (pthread_create(&thread[i], NULL, run, &caller[i]) != 0)
            return 1;
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(thread[i], NULL);
        good = good && !caller[i].wrong && caller[i].told > 0;
    }
    puts(good ? "all plans are valid" : "a plan is not valid");
    return good ? 0 : 1;
}
