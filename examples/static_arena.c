/* SPDX-License-Identifier: Apache-2.0 */
/* Static allocations from a table: static_arena BUFFERS.csv >arena.h
 *
 * BUFFERS.csv has the columns id, lower, upper, size and perhaps alignment, as MiniMalloc's files
 * have them: the buffer is alive from step `lower` until just before `upper`.  The header that is
 * written has one array of bytes, and for each buffer its offset, its size and where it is:
 *
 *     uint8_t *input = ARENA_AT(conv1_output);  */
#include <arenaplan.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 1024, MOST_NAME = 200, BUFFERS_AT_FIRST = 64 };
enum column { ID, LOWER, UPPER, SIZE, ALIGNMENT, COLUMNS };

struct table {
    const char *path;
    size_t line, count, room;
    struct arenaplan_buffer *buffer;
    char (*name)[MOST_NAME];
    int column[COLUMNS]; /* which one it is in the file; -1: none */
};

static void fail(const struct table *table, const char *what)
{
    fprintf(stderr, "%s:%zu: %s\n", table->path, table->line, what);
    exit(2);
}

/* Cuts the next cell off *REST, without the blanks around it; NULL: there is none.  */
static char *next_cell(char **rest)
{
    char *cell = *rest, *end;

    if (cell == NULL)
        return NULL;
    end = strchr(cell, ',');
    *rest = end == NULL ? NULL : end + 1;
    if (end == NULL)
        end = cell + strlen(cell);
    while (end > cell && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    while (isspace((unsigned char)*cell))
        cell++;
    return cell;
}

static void read_header(struct table *table, char *line)
{
    static const char *const names[COLUMNS] = {"id", "lower", "upper", "size", "alignment"};
    char *cell;

    for (int c = 0; c < COLUMNS; c++)
        table->column[c] = -1;
    for (int at = 0; (cell = next_cell(&line)) != NULL; at++)
        for (int c = 0; c < COLUMNS; c++)
            if (strcmp(cell, names[c]) == 0)
                table->column[c] = at;
    for (int c = 0; c < ALIGNMENT; c++)
        if (table->column[c] < 0)
            fail(table, "expected the columns id, lower, upper, size");
}

static int64_t read_number(const struct table *table, const char *cell)
{
    char *end;
    intmax_t value = strtoimax(cell, &end, 10);

    if (end == cell || *end != '\0' || value > INT64_MAX / 2 || value < -INT64_MAX / 2)
        fail(table, "expected an integer");
    return value;
}

/* A name of C, whatever the id is.  */
static void set_name(struct table *table, const char *id)
{
    char *name = table->name[table->count];
    size_t length = strlen(id);

    if (length == 0 || length >= MOST_NAME - 2)
        fail(table, "an id is empty or too long");
    if (isdigit((unsigned char)*id))
        *name++ = 'b';
    for (size_t i = 0; i <= length; i++)
        name[i] = id[i] == '\0' || isalnum((unsigned char)id[i]) ? id[i] : '_';
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->name[i], table->name[table->count]) == 0)
            fail(table, "an id that another buffer has, too, or one that looks the same in C");
}

static void read_row(struct table *table, char *line)
{
    int64_t value[COLUMNS] = {0, 0, 0, 0, 1};
    unsigned seen = 0;
    char *cell;

    for (int at = 0; (cell = next_cell(&line)) != NULL; at++)
        for (int c = 0; c < COLUMNS; c++) {
            if (table->column[c] != at)
                continue;
            seen |= 1u << c;
            if (c == ID)
                set_name(table, cell);
            else
                value[c] = read_number(table, cell);
        }
    if ((seen & 15) != 15)
        fail(table, "expected as many cells as the header has");
    table->buffer[table->count].begin = value[LOWER];
    table->buffer[table->count].end = value[UPPER];
    table->buffer[table->count].size = value[SIZE];
    table->buffer[table->count++].alignment = value[ALIGNMENT];
}

static void grow(struct table *table)
{
    if (table->count < table->room)
        return;
    table->room = table->room == 0 ? BUFFERS_AT_FIRST : 2 * table->room;
    table->buffer = realloc(table->buffer, table->room * sizeof *table->buffer);
    table->name = realloc(table->name, table->room * sizeof *table->name);
    if (table->buffer == NULL || table->name == NULL)
        fail(table, "no memory");
    memset(table->buffer + table->count, 0, (table->room - table->count) * sizeof *table->buffer);
}

static void read_table(struct table *table)
{
    FILE *in = fopen(table->path, "r");
    char line[MOST_LINE];

    if (in == NULL)
        fail(table, "can't be opened");
    while (fgets(line, sizeof line, in) != NULL) {
        table->line++;
        if (strlen(line) == sizeof line - 1)
            fail(table, "a line is too long");
        line[strcspn(line, "\r\n")] = '\0';
        if (table->line == 1) {
            read_header(table, line);
        } else if (*line != '\0') {
            grow(table);
            read_row(table, line);
        }
    }
    if (ferror(in) || table->line == 0)
        fail(table, "can't be read, or is empty");
    fclose(in);
}

/* The arena itself has to be aligned as its buffers are.  */
static int64_t arena_alignment(const struct table *table)
{
    int64_t most = 1;

    for (size_t i = 0; i < table->count; i++) {
        int64_t a = table->buffer[i].alignment;

        if (a < 1 || (a & (a - 1)) != 0 || a > 4096)
            fail(table, "an alignment is no power of two up to 4096");
        if (a > most)
            most = a;
    }
    return most;
}

static void write_header(const struct table *table, const int64_t *offset, int64_t peak)
{
    printf("/* Written by static_arena: do not edit.  */\n"
           "#ifndef ARENA_H\n#define ARENA_H\n\n#include <stdint.h>\n\n"
           "#define ARENA_BYTES %" PRId64 "\n"
           "static _Alignas(%" PRId64 ") uint8_t arena[ARENA_BYTES];\n\n"
           "#define ARENA_AT(buffer) (arena + ARENA_OFFSET_##buffer)\n\n",
           peak > 0 ? peak : 1, arena_alignment(table));
    for (size_t i = 0; i < table->count; i++)
        printf("#define ARENA_OFFSET_%s %" PRId64 "\n#define ARENA_SIZE_%s %" PRId64 "\n",
               table->name[i], offset[i], table->name[i], table->buffer[i].size);
    printf("\n#endif\n");
}

int main(int argc, char **argv)
{
    struct table table = {.path = argv[1]};
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(NULL, 0);
    int64_t *offset;

    if (argc != 2) {
        fputs("usage: static_arena BUFFERS.csv >arena.h\n", stderr);
        return 2;
    }
    read_table(&table);
    offset = calloc(table.count + 1, sizeof *offset);
    if (offset == NULL)
        fail(&table, "no memory");
    (void)arena_alignment(&table);
    problem.buffer = table.buffer;
    problem.count = table.count;
    options.work = 1000000; /* and not a time: the same header on each machine */
    if (arenaplan_plan(&problem, &options, offset, &result) > ARENAPLAN_FEASIBLE) {
        if (result.buffer < table.count)
            table.line = result.buffer + 2;
        fail(&table, result.status == ARENAPLAN_INVALID ? arenaplan_fault_text(result.fault)
                                                        : arenaplan_status_text(result.status));
    }
    write_header(&table, offset, result.peak);
    free(offset);
    free(table.buffer);
    free(table.name);
    return 0;
}
