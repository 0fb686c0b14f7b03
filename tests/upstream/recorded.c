/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/upstream/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/csv.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "tests/oracles/plain_planners.h"
#include "tests/support/tap.h"
#include "workloads/readers/megengine/dump.h"

struct recorded_instance {
    char *name, *text; /* the dump, or begin, end and size of each buffer */
    int64_t alignment; /* 0: a dump */
};

static _Noreturn void give_up(const char *message)
{
    tap_diag("%s", message);
    abort();
}

/* --- the files --- */

struct table {
    char *path;
    FILE *in;
    struct csv csv;
};

static void table_open(struct table *table, const char *name, const char *const *columns,
                       size_t count)
{
    const char *top = getenv("top_srcdir");
    struct error error = {"cannot be opened"};

    table->path = memory_printf("%s/tests/upstream/%s", top != NULL ? top : ".", name);
    table->in = fopen(table->path, "r");
    if (table->in == NULL || !csv_open(&table->csv, table->in, table->path, &error))
        error_prefix(&error, "%s", table->path);
    else if (csv_fixed_header(&table->csv, columns, count, &error))
        return;
    give_up(error.text);
}

static bool table_next(struct table *table)
{
    struct error error = {""};
    enum csv_step step = csv_next(&table->csv, &error);

    if (step == CSV_BAD)
        give_up(error.text);
    return step == CSV_ROW;
}

static void table_close(struct table *table)
{
    csv_close(&table->csv);
    fclose(table->in);
    free(table->path);
}

static char *cell_text(struct table *table, size_t cell)
{
    return memory_strdup(csv_text(&table->csv, cell));
}

static int64_t cell_int(struct table *table, size_t cell, const char *what)
{
    struct error error = {""};
    int64_t value;

    if (!csv_int(&table->csv, cell, what, 0, &value, &error))
        give_up(error.text);
    return value;
}

static size_t cell_word(struct table *table, size_t cell, const char *const *words, size_t count)
{
    struct error error = {""};

    for (size_t i = 0; i < count; i++)
        if (strcmp(csv_text(&table->csv, cell), words[i]) == 0)
            return i;
    csv_error(&table->csv, table->csv.cell[cell].column, &error, "expected %s, %s, ...", words[0],
              words[1]);
    give_up(error.text);
}

/* The numbers in TEXT, apart by blanks; *COUNT of them.  The caller frees them.  */
static int64_t *numbers(const char *text, size_t *count)
{
    int64_t *number = NULL;
    size_t capacity = 0;
    char *end;

    for (*count = 0; *text != '\0'; text = end) {
        number = memory_grow(number, &capacity, *count + 1, sizeof *number);
        number[(*count)++] = strtoll(text, &end, 10);
        if (end == text)
            give_up("a recorded row has something that is no number");
    }
    return number;
}

struct recorded_programs recorded_programs_read(void)
{
    static const char *const columns[] = {"program", "rows", "aligned", "judged",
                                          "answers", "seed", "work",    "repository",
                                          "commit",  "path", "licence"};
    static const char *const rows[] = {
        [ROWS_AS_IS] = "as-is",
        [ROWS_BY_BEGIN] = "by-begin",
        [ROWS_RANKED] = "ranked",
        [ROWS_DUMP] = "dump",
    };
    static const char *const answers[] = {"no", "yes"};
    struct recorded_programs programs = {0};
    size_t capacity = 0;
    struct table table;

    table_open(&table, "MANIFEST.csv", columns, sizeof columns / sizeof columns[0]);
    while (table_next(&table)) {
        programs.item =
            memory_grow(programs.item, &capacity, programs.count + 1, sizeof *programs.item);
        programs.item[programs.count++] = (struct recorded_program){
            .name = cell_text(&table, 0),
            .rows = (enum recorded_rows)cell_word(&table, 1, rows, sizeof rows / sizeof rows[0]),
            .aligned = cell_word(&table, 2, answers, 2) == 1,
            .judged = cell_text(&table, 3),
            .answers = cell_text(&table, 4),
            .seed = (uint32_t)cell_int(&table, 5, "seed"),
            .work = cell_int(&table, 6, "work"),
            .repository = cell_text(&table, 7),
            .commit = cell_text(&table, 8),
        };
    }
    table_close(&table);
    return programs;
}

void recorded_programs_clear(struct recorded_programs *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        free(programs->item[i].name);
        free(programs->item[i].judged);
        free(programs->item[i].answers);
        free(programs->item[i].repository);
        free(programs->item[i].commit);
    }
    free(programs->item);
}

const struct recorded_program *recorded_program(const struct recorded_programs *programs,
                                                const char *name)
{
    for (size_t i = 0; i < programs->count; i++)
        if (strcmp(programs->item[i].name, name) == 0)
            return &programs->item[i];
    return NULL;
}

struct recorded_answers recorded_answers_read(const struct recorded_program *program)
{
    static const char *const columns[] = {"instance", "peak", "offsets"};
    char *name = memory_printf("answers/%s.csv", program->answers);
    struct recorded_answers answers = {0};
    size_t capacity = 0;
    struct table table;

    table_open(&table, name, columns, 3);
    while (table_next(&table)) {
        struct recorded_answer *answer;

        answers.item =
            memory_grow(answers.item, &capacity, answers.count + 1, sizeof *answers.item);
        answer = &answers.item[answers.count++];
        answer->instance = cell_text(&table, 0);
        answer->peak = cell_int(&table, 1, "peak");
        answer->offset = numbers(csv_text(&table.csv, 2), &answer->n);
    }
    table_close(&table);
    free(name);
    return answers;
}

void recorded_answers_clear(struct recorded_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        free(answers->item[i].instance);
        free(answers->item[i].offset);
    }
    free(answers->item);
}

static struct recorded_instance *one_more(struct recorded_instances *instances, size_t *capacity)
{
    instances->item =
        memory_grow(instances->item, capacity, instances->count + 1, sizeof *instances->item);
    return &instances->item[instances->count++];
}

struct recorded_instances recorded_instances_read(void)
{
    static const char *const plain[] = {"instance", "alignment", "buffers"};
    static const char *const dumps[] = {"instance", "dump"};
    struct recorded_instances instances = {0};
    size_t capacity = 0;
    struct table table;

    table_open(&table, "instances.csv", plain, 3);
    while (table_next(&table))
        *one_more(&instances, &capacity) = (struct recorded_instance){
            cell_text(&table, 0), cell_text(&table, 2), cell_int(&table, 1, "alignment")};
    table_close(&table);
    table_open(&table, "overwrites.csv", dumps, 2);
    while (table_next(&table))
        *one_more(&instances, &capacity) =
            (struct recorded_instance){cell_text(&table, 0), cell_text(&table, 1), 0};
    table_close(&table);
    return instances;
}

void recorded_instances_clear(struct recorded_instances *instances)
{
    for (size_t i = 0; i < instances->count; i++) {
        free(instances->item[i].name);
        free(instances->item[i].text);
    }
    free(instances->item);
}

/* --- the instances --- */

static const struct recorded_instance *find(const struct recorded_instances *instances,
                                            const char *name)
{
    for (size_t i = 0; i < instances->count; i++)
        if (strcmp(instances->item[i].name, name) == 0)
            return &instances->item[i];
    return NULL;
}

static struct instance *sealed(struct instance *instance)
{
    struct error error = {""};

    if (!instance_seal(instance, NULL, &error))
        give_up(error.text);
    return instance;
}

static struct instance *from_rows(const struct recorded_instance *recorded, bool aligned)
{
    struct instance *instance = instance_new(recorded->name);
    size_t count;
    int64_t *number = numbers(recorded->text, &count);

    for (size_t b = 0; b < count / 3; b++) {
        char *id = memory_printf("b%02zu", b);

        instance_add(instance, id, number[3 * b], number[3 * b + 1], number[3 * b + 2],
                     aligned ? recorded->alignment : 1);
        free(id);
    }
    free(number);
    return sealed(instance);
}

static struct instance *from_dump(const struct recorded_instance *recorded)
{
    struct error error = {""};
    struct instance *instance = megengine_dump_read(recorded->text, strlen(recorded->text),
                                                    recorded->name, recorded->name, &error);

    if (instance == NULL)
        give_up(error.text);
    return instance;
}

static struct instance *from_real_input(const char *name)
{
    struct instance *instance = NULL;
    struct error error = {"cannot be opened"};
    char *path;
    FILE *in;

    if (real_inputs_missing(name))
        return NULL;
    path = memory_printf("%s/%s", tap_data(), name);
    in = fopen(path, "r");
    if (in != NULL)
        instance = instance_csv_read(in, path, NULL, &error);
    if (instance == NULL)
        give_up(error.text);
    fclose(in);
    free(path);
    return instance;
}

static struct instance *ranked(struct instance *plain)
{
    struct instance *instance = instance_new(plain->name);
    size_t count;
    int64_t *time = plain_times(plain, &count);

    for (size_t b = 0; b < plain->n; b++) {
        const struct buffer *buffer = &plain->buffer[b];
        const int64_t *begin = bsearch(&buffer->begin, time, count, sizeof *time, compare64);
        const int64_t *end = bsearch(&buffer->end, time, count, sizeof *time, compare64);

        instance_add(instance, buffer->id, begin - time, end - time, buffer->size,
                     buffer->alignment);
    }
    free(time);
    instance_free(plain);
    return sealed(instance);
}

static struct instance *by_begin(struct instance *plain)
{
    struct instance *instance = instance_new(plain->name);
    size_t count;
    int64_t *time = plain_times(plain, &count);

    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < plain->n; b++) {
            const struct buffer *buffer = &plain->buffer[b];

            if (buffer->begin == time[i])
                instance_add(instance, buffer->id, buffer->begin, buffer->end, buffer->size,
                             buffer->alignment);
        }
    free(time);
    instance_free(plain);
    return sealed(instance);
}

struct instance *recorded_instance(const struct recorded_instances *instances, const char *name,
                                   const struct recorded_program *program)
{
    const struct recorded_instance *recorded = find(instances, name);
    struct instance *plain;

    if (recorded != NULL && recorded->alignment == 0)
        return from_dump(recorded);
    plain = recorded != NULL ? from_rows(recorded, program->aligned) : from_real_input(name);
    if (plain != NULL && program->rows == ROWS_BY_BEGIN)
        return by_begin(plain);
    return plain != NULL && program->rows == ROWS_RANKED ? ranked(plain) : plain;
}

struct recorded_dump recorded_dump(const struct recorded_instances *instances, const char *name)
{
    const struct recorded_instance *recorded = find(instances, name);
    struct recorded_dump dump = {0};
    size_t count;
    int64_t *number = numbers(recorded->text, &count);

    dump.n = (size_t)number[0];
    dump.interval = memory_copy(number + 1, 3 * dump.n, sizeof *dump.interval);
    dump.wishes = (size_t)number[1 + 3 * dump.n];
    dump.wish = memory_copy(number + 2 + 3 * dump.n, 3 * dump.wishes, sizeof *dump.wish);
    free(number);
    return dump;
}

void recorded_dump_clear(struct recorded_dump *dump)
{
    free(dump->interval);
    free(dump->wish);
}
