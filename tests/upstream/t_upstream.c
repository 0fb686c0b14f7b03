/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our planners give what upstream's gave: the answers that are recorded here, offset by
 * offset, a line a planner.  How many are equal is what solvers/evidence.c says.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/evidence.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "tests/upstream/recorded.h"

/* Differences of a planner that go to the log.  */
enum { SHOWN = 3 };

struct tally {
    int equal;
    int judged;  /* all but those that we have not proved where a proof is compared */
    int missing; /* real inputs that are not here */
    int untried; /* by the small tier */
};

enum verdict { SAME, DIFFERENT, OPEN };

/* An answer and what ours is compared by.  */
struct question {
    const struct upstream_record *record;
    const struct recorded_program *program;
    const struct recorded_instances *instances;
    const struct recorded_answer *answer;
};

static size_t find_buffer(const struct instance *instance, const char *id)
{
    for (size_t b = 0; b < instance->n; b++)
        if (strcmp(instance->buffer[b].id, id) == 0)
            return b;
    return SIZE_MAX;
}

/* Says which buffer differs first, in WHERE.  */
static bool same_rows(const struct question *question, const struct instance *instance,
                      const struct plan *plan, char **where)
{
    const struct recorded_answer *answer = question->answer;

    for (size_t b = 0; b < instance->n; b++)
        if (b >= answer->n || plan->offset[b] != answer->offset[b]) {
            *where = memory_printf("%s at %" PRId64 ", upstream %" PRId64, instance->buffer[b].id,
                                   plan->offset[b], b < answer->n ? answer->offset[b] : -1);
            return false;
        }
    return true;
}

/* Whether upstream placed interval I inside another one: both live in its last step, so
 * only an overwriter can lie there.  */
static bool is_inside(const struct recorded_dump *dump, const struct recorded_answer *answer,
                      size_t i)
{
    for (size_t w = 0; w < dump->wishes; w++) {
        size_t src = (size_t)dump->wish[3 * w], dest = (size_t)dump->wish[3 * w + 1];

        if (src == i && dump->interval[3 * src] == dump->interval[3 * dest + 1] - 1 &&
            answer->offset[src] == answer->offset[dest] + dump->wish[3 * w + 2])
            return true;
    }
    return false;
}

/* A plan of ours has one offset for a whole chain of overwrites, named after its root.  */
static bool same_intervals(const struct question *question, const struct instance *instance,
                           const struct plan *plan, char **where)
{
    const struct recorded_answer *answer = question->answer;
    struct recorded_dump dump = recorded_dump(question->instances, answer->instance);
    size_t roots = 0;

    for (size_t i = 0; i < dump.n && *where == NULL; i++) {
        char *id = memory_printf("%zu", i);
        size_t b = find_buffer(instance, id);

        if (!is_inside(&dump, answer, i)) {
            roots++;
            if (b == SIZE_MAX || plan->offset[b] != answer->offset[i])
                *where = memory_printf("interval %zu at %" PRId64 ", upstream %" PRId64, i,
                                       b != SIZE_MAX ? plan->offset[b] : -1, answer->offset[i]);
        }
        free(id);
    }
    if (*where == NULL && roots != instance->n)
        *where = memory_printf("%zu chains of overwrites, upstream %zu", instance->n, roots);
    recorded_dump_clear(&dump);
    return *where == NULL;
}

static enum verdict same_peak(const struct question *question, const struct solver_run *run,
                              char **where)
{
    if (question->record->judged == UPSTREAM_PEAK && run->outcome != OUTCOME_OPTIMAL)
        return OPEN;
    if (run->peak == question->answer->peak)
        return SAME;
    *where =
        memory_printf("peak %" PRId64 ", upstream %" PRId64, run->peak, question->answer->peak);
    return DIFFERENT;
}

/* How ours answers; where that is different *WHERE says what differs first.  */
static enum verdict ours(const struct question *question, const struct instance *instance,
                         char **where)
{
    const struct solver_limits limits = {.seed = question->program->seed,
                                         .work = question->program->work};
    struct plan *plan = plan_new(instance);
    struct solver_run run = solver_run_into(question->record->solver, instance, &limits, plan);
    enum verdict verdict;

    if (!run.valid)
        verdict = DIFFERENT;
    else if (question->record->judged != UPSTREAM_OFFSETS)
        verdict = same_peak(question, &run, where);
    else if (question->program->rows == ROWS_DUMP)
        verdict = same_intervals(question, instance, plan, where) ? SAME : DIFFERENT;
    else
        verdict = same_rows(question, instance, plan, where) ? SAME : DIFFERENT;
    plan_free(plan);
    return verdict;
}

/* Whether the recorded peak is that of the recorded offsets.  */
static bool is_sound(const struct recorded_answer *answer, const struct instance *instance,
                     const struct recorded_dump *dump)
{
    int64_t peak = 0;

    for (size_t i = 0; i < answer->n; i++)
        peak = max64(peak, answer->offset[i] + (dump->n > 0 ? dump->interval[3 * i + 2]
                                                            : instance->buffer[i].size));
    return answer->n == 0 ||
           (answer->n == (dump->n > 0 ? dump->n : instance->n) && peak == answer->peak);
}

static void judge(const struct question *question, struct tally *tally)
{
    const struct recorded_answer *answer = question->answer;
    struct instance *instance =
        recorded_instance(question->instances, answer->instance, question->program);
    struct recorded_dump dump = {0};
    enum verdict verdict;
    char *where = NULL;

    if (instance == NULL) {
        tally->missing++;
        return;
    }
    if (question->program->rows == ROWS_DUMP)
        dump = recorded_dump(question->instances, answer->instance);
    if (!is_sound(answer, instance, &dump))
        ok(false, "%s on %s: the recorded peak is that of the recorded offsets",
           question->program->name, answer->instance);
    recorded_dump_clear(&dump);
    verdict = ours(question, instance, &where);
    tally->equal += verdict == SAME;
    tally->judged += verdict != OPEN;
    if (verdict == DIFFERENT && tally->judged - tally->equal <= SHOWN)
        tap_diag("%s differs on %s: %s", question->record->solver, answer->instance,
                 where != NULL ? where : "no valid plan");
    free(where);
    instance_free(instance);
}

/* Of inputs that are not here, or not tried, it is not known whether they would be judged, and
 * equal.  */
static bool is_as_stated(const struct upstream_record *record, const struct tally *tally)
{
    return tally->judged > 0 && tally->judged <= record->of &&
           tally->judged + tally->missing + tally->untried >= record->of &&
           tally->equal <= record->equal &&
           tally->equal + tally->missing + tally->untried >= record->equal;
}

static int planner(const struct upstream_record *record, const struct recorded_programs *programs,
                   const struct recorded_instances *instances)
{
    const struct recorded_program *program = recorded_program(programs, record->program);
    struct recorded_answers answers = {0};
    struct tally tally = {0};
    char *text;

    if (program != NULL)
        answers = recorded_answers_read(program);
    for (size_t a = 0; a < answers.count; a++)
        if (a % (size_t)tap_tier(8, 1) != 0)
            tally.untried++;
        else
            judge(&(struct question){record, program, instances, &answers.item[a]}, &tally);
    text = upstream_record_text(record, tally.equal, tally.judged);
    if (!ok(program != NULL && is_as_stated(record, &tally), "%s: %s", record->program, text))
        tap_diag("solvers/evidence.c states %d of %d", record->equal, record->of);
    free(text);
    recorded_answers_clear(&answers);
    return tally.missing;
}

int main(void)
{
    struct recorded_programs programs = recorded_programs_read();
    struct recorded_instances instances = recorded_instances_read();
    int missing = 0;

    for (const struct upstream_record *record = upstream_records; record->program != NULL; record++)
        missing += planner(record, &programs, &instances);
    if (missing > 0) {
        char *reason = memory_printf("%d answers to real inputs were not judged: %s", missing,
                                     real_inputs_reason());

        tap_skip(1, reason);
        free(reason);
    }
    recorded_instances_clear(&instances);
    recorded_programs_clear(&programs);
    return tap_done();
}
