/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How each planner is known to do what its source does: none is silent, what is named is
 * there, and UPSTREAM.md shows the same.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "solvers/evidence.h"
#include "solvers/solver.h"
#include "tests/support/tap.h"
#include "tests/upstream/recorded.h"

/* The text of a file of the source tree, or NULL.  */
static char *source_file(const char *name)
{
    const char *top = getenv("top_srcdir");
    char *path = memory_printf("%s/%s", top != NULL ? top : ".", name), *text;
    struct error error = {""};
    size_t length;

    if (!file_read(path, 1 << 24, &text, &length, &error))
        text = NULL;
    free(path);
    return text;
}

static void none_is_silent(void)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        char *text = evidence_text(entry->solver->name);

        ok(text[0] != '\0', "%s has a row in solvers/evidence.c", entry->solver->name);
        free(text);
    }
}

/* Whether the file NAME has "SOLVER" in quotes, alone or with parameters.  */
static bool names(const char *name, const char *solver)
{
    char *text = source_file(name), *quoted = memory_printf("\"%s\"", solver);
    char *with = memory_printf("\"%s:", solver);
    bool found = text != NULL && (strstr(text, quoted) != NULL || strstr(text, with) != NULL);

    free(text);
    free(quoted);
    free(with);
    return found;
}

static void what_is_named_is_there(void)
{
    for (const struct evidence *row = evidence_others; row->solver != NULL; row++) {
        char *text = source_file(row->file);

        ok(solver_find(row->solver) != NULL && text != NULL && names(row->test, row->solver),
           "%s: %s is there, and %s names it", row->solver, row->file, row->test);
        free(text);
    }
}

/* The table in C and the manifest tell of the same code and the same question.  */
static void provenance(void)
{
    static const char *const judged[] = {
        [UPSTREAM_OFFSETS] = "offsets", [UPSTREAM_TOTAL] = "total", [UPSTREAM_PEAK] = "peak"};
    struct recorded_programs programs = recorded_programs_read();
    size_t count = 0;

    for (const struct upstream_record *record = upstream_records; record->program != NULL;
         record++, count++) {
        const struct recorded_program *program = recorded_program(&programs, record->program);
        const char *slash = program != NULL ? strrchr(program->repository, '/') : NULL;

        ok(slash != NULL && strcmp(slash + 1, record->project) == 0 &&
               strncmp(program->commit, record->commit, strlen(record->commit)) == 0 &&
               strlen(record->commit) >= 7 && strcmp(program->judged, judged[record->judged]) == 0,
           "%s: MANIFEST.csv has the same project, commit and question", record->program);
    }
    is_int((int64_t)programs.count, (int64_t)count, "every program of MANIFEST.csv has its row");
    recorded_programs_clear(&programs);
}

/* The rows of the page's table are those of the program, in the same order.  */
static void page(void)
{
    char *text = source_file("UPSTREAM.md");
    const char *last = text;
    size_t rows = 0, planners = 0;

    for (const char *at = text; (at = strstr(at, "\n| `")) != NULL; at++)
        rows++;
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        char *evidence = evidence_text(entry->solver->name);
        char *want = memory_printf("\n| `%s` | %s |\n", entry->solver->name, evidence);
        const char *found = strstr(text, want);

        if (!ok(found != NULL && found >= last, "UPSTREAM.md has the row of %s, in its place",
                entry->solver->name))
            tap_diag("expected: %s", want + 1);
        last = found != NULL ? found : last;
        planners++;
        free(evidence);
        free(want);
    }
    is_int((int64_t)rows, (int64_t)planners, "and no other");
    free(text);
}

int main(void)
{
    none_is_silent();
    what_is_named_is_there();
    provenance();
    page();
    return tap_done();
}
