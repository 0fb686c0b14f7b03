/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/suite/suite_submit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "harness/io/output.h"
#include "harness/io/plan_file.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_judge.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* What a submission is about.  */
struct merge {
    const struct suite_submission *submission;
    struct suite suite;
    struct suite_entry *entry;
    struct instance *instance;
};

/* --- which instance, and what --- */

/* PATH without folders and without its ending.  */
static char *name_of(const struct suite_submission *submission)
{
    const char *slash = strrchr(submission->path, '/');
    const char *base = slash != NULL ? slash + 1 : submission->path;
    const char *dot = strrchr(base, '.');

    if (submission->name != NULL)
        return memory_strdup(submission->name);
    return memory_printf("%.*s", (int)(dot != NULL ? (size_t)(dot - base) : strlen(base)), base);
}

static bool find_entry(struct merge *merge, struct error *error)
{
    char *name = name_of(merge->submission);

    merge->entry = suite_find(&merge->suite, name, error);
    free(name);
    return merge->entry != NULL;
}

/* Whether FILE begins as a certificate does; it is at its beginning again.  */
static bool is_certificate(FILE *in)
{
    char title[sizeof CERTIFICATE_TITLE] = "";
    size_t length = fread(title, 1, sizeof title - 1, in);

    rewind(in);
    return length == sizeof title - 1 && strcmp(title, CERTIFICATE_TITLE) == 0;
}

/* --- merging --- */

static void replace(char **text, const char *by)
{
    free(*text);
    *text = memory_strdup(by);
}

/* Writes the new table, all but its name: what it refers to is put in place only when there is room
 * for both.  */
static bool begin_table(const struct merge *merge, struct output *table, struct error *error)
{
    char *path = suite_table_path(merge->submission->folder);
    bool done = output_open(table, path, error);

    free(path);
    if (!done)
        return false;
    suite_write(table->file, &merge->suite);
    if (file_flush(table->file))
        return true;
    output_close(table, true, error); /* says why */
    return false;
}

static bool write_plan(const struct merge *merge, const struct plan *plan, struct error *error)
{
    char *path = suite_plan_path(merge->submission->folder, merge->entry->name);
    bool done = plan_file_write(path, merge->instance, plan, error);

    free(path);
    return done;
}

static enum suite_answer take_plan(struct merge *merge, const struct plan *plan,
                                   struct error *error)
{
    struct suite_entry *entry = merge->entry;
    struct output table;
    bool done;

    entry->upper = plan->peak;
    replace(&entry->upper_by, merge->submission->by);
    replace(&entry->plan, SUITE_PLAN_STORED);
    if (!begin_table(merge, &table, error))
        return SUITE_FAILED;
    done = write_plan(merge, plan, error);
    return output_close(&table, done, error) && done ? SUITE_TAKEN : SUITE_FAILED;
}

static enum suite_answer submit_plan(struct merge *merge, struct suite_verdict *verdict,
                                     struct error *error)
{
    enum suite_answer answer = SUITE_FAILED;
    struct plan *plan = plan_file_read(merge->submission->path, merge->instance, error);

    if (plan == NULL)
        return SUITE_BAD;
    verdict->was = merge->entry->upper;
    verdict->is = plan->peak;
    if (!suite_judge(merge->entry, merge->instance, plan, error))
        error_prefix(error, "%s: not a plan of %s", merge->submission->path, merge->entry->name);
    else if (plan->peak >= merge->entry->upper)
        error_set(error, "%s: a peak of %" PRId64 " is not below the best known, %" PRId64,
                  merge->submission->path, plan->peak, merge->entry->upper);
    else
        answer = take_plan(merge, plan, error);
    plan_free(plan);
    return answer;
}

/* --- bounds --- */

/* The certificate's file beside the table.  */
static bool write_certificate(const struct merge *merge, FILE *in, struct error *error)
{
    char *folder = memory_printf("%s/certificates", merge->submission->folder);
    char *path = memory_printf("%s/%s", merge->submission->folder, merge->entry->certificate);
    struct output output;
    bool done = output_folder(folder, error) && output_open(&output, path, error);

    if (done) {
        rewind(in);
        for (int c = getc(in); c != EOF; c = getc(in))
            putc(c, output.file);
        done = output_close(&output, true, error);
    }
    free(path);
    free(folder);
    return done;
}

/* It is named as the plan's.  */
static enum suite_answer take_certificate(struct merge *merge, FILE *in, struct error *error)
{
    char *name = memory_printf("certificates/%s.txt", merge->entry->name);
    struct output table;
    bool done;

    replace(&merge->entry->certificate, name);
    free(name);
    if (!begin_table(merge, &table, error))
        return SUITE_FAILED;
    done = write_certificate(merge, in, error);
    return output_close(&table, done, error) && done ? SUITE_TAKEN : SUITE_FAILED;
}

static enum suite_answer submit_bound(struct merge *merge, FILE *in, struct suite_verdict *verdict,
                                      struct error *error)
{
    struct suite_entry *entry = merge->entry;
    const char *path = merge->submission->path;
    struct certificate certificate;

    if (!certificate_check(in, path, merge->instance, &certificate, error))
        return SUITE_FAILED;
    verdict->is_bound = true;
    verdict->was = entry->lower;
    verdict->is = certificate.capacity + 1;
    if (verdict->is > entry->upper) {
        error_set(error, "%s: a bound of %" PRId64 " contradicts the plan of %" PRId64, path,
                  verdict->is, entry->upper);
        return SUITE_FAILED;
    }
    /* What is known already may yet lack a certificate.  */
    if (verdict->is < entry->lower ||
        (verdict->is == entry->lower &&
         (entry->certificate[0] != '\0' || entry->lower == entry->load))) {
        error_set(error, "%s: a bound of %" PRId64 " is not above the best known, %" PRId64, path,
                  verdict->is, entry->lower);
        return SUITE_FAILED;
    }
    if (verdict->is > entry->lower)
        replace(&entry->lower_by, merge->submission->by);
    entry->lower = verdict->is;
    return take_certificate(merge, in, error);
}

/* --- all of it --- */

static enum suite_answer submit_open(struct merge *merge, struct suite_verdict *verdict,
                                     struct error *error)
{
    enum suite_answer answer;
    FILE *in;

    if (!find_entry(merge, error))
        return SUITE_BAD;
    snprintf(verdict->name, sizeof verdict->name, "%s", merge->entry->name);
    in = fopen(merge->submission->path, "r");
    if (in == NULL) {
        error_set(error, "%s: %s", merge->submission->path, strerror(errno));
        return SUITE_BAD;
    }
    merge->instance = suite_instance(merge->entry, error);
    if (merge->instance == NULL)
        answer = SUITE_FAILED;
    else
        answer = is_certificate(in) ? submit_bound(merge, in, verdict, error)
                                    : submit_plan(merge, verdict, error);
    fclose(in);
    verdict->optimal = merge->entry->lower == merge->entry->upper;
    instance_free(merge->instance);
    return answer;
}

enum suite_answer suite_submit(const struct suite_submission *submission,
                               struct suite_verdict *verdict, struct error *error)
{
    struct merge merge = {.submission = submission};
    enum suite_answer answer = SUITE_BAD;
    int lock = open(submission->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    *verdict = (struct suite_verdict){0};
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        error_set(error, "%s: %s", submission->folder, strerror(errno));
    } else if (suite_open(&merge.suite, submission->folder, error)) {
        answer = submit_open(&merge, verdict, error);
        suite_clear(&merge.suite);
    }
    if (lock >= 0)
        close(lock);
    return answer;
}
