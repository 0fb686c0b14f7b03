/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/memory.h"

#include <math.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/sort.h"

#define EXPECTED "expected NAME=CAPACITY,read=COST,write=COST, such as sram=256KiB,read=1,write=1"
/* Costs up to here: times bytes they fit in 64 bits for all that fits in a machine.  */
#define MOST_COST 1e6
/* Of the load, as a capacity.  */
#define MOST_PER_CENT 1e6

/* A whole number of thousandths.  */
static bool parse_cost(const char *text, int64_t *cost)
{
    double value, thousandths;

    if (!parse_real(text, 0.0, MOST_COST, &value))
        return false;
    thousandths = value * MEMORY_COST_UNIT;
    *cost = llround(thousandths);
    return fabs(thousandths - (double)*cost) < 1e-6;
}

/* OFFSET+BYTES.  */
static bool parse_range(char *text, struct memory_range *range)
{
    char *plus = strchr(text, '+');
    int64_t bytes;

    if (plus == NULL)
        return false;
    *plus = '\0';
    return parse_bytes(text, 0, INT64_MAX, &range->begin) &&
           parse_bytes(plus + 1, 1, INT64_MAX, &bytes) &&
           checked_add(range->begin, bytes, &range->end);
}

static void add_range(struct memory *memory, struct memory_range range)
{
    memory->reserved = memory_resize(memory->reserved, memory->n_reserved + 1, sizeof range);
    memory->reserved[memory->n_reserved++] = range;
}

/* What follows the name and the capacity: WORD is KEY=VALUE.  */
static bool add_setting(struct memory *memory, char *word, struct error *error)
{
    char *value = strchr(word, '=');
    struct memory_range range;

    if (value != NULL)
        *value++ = '\0';
    if (value != NULL && strcmp(word, "read") == 0)
        return parse_cost(value, &memory->read) ||
               error_set(error,
                         "read=%s: expected the cost of a byte, from 0 to %g with up to "
                         "three decimals",
                         value, MOST_COST);
    if (value != NULL && strcmp(word, "write") == 0)
        return parse_cost(value, &memory->write) ||
               error_set(error,
                         "write=%s: expected the cost of a byte, from 0 to %g with up to "
                         "three decimals",
                         value, MOST_COST);
    if (value != NULL && (strcmp(word, "align") == 0 || strcmp(word, "alignment") == 0))
        return parse_bytes(value, 1, INT32_MAX, &memory->alignment) ||
               error_set(error, "%s=%s: expected bytes, at least 1", word, value);
    if (value == NULL || strcmp(word, "reserve") != 0)
        return error_set(error, "'%s': expected read=, write=, align= or reserve=", word);
    if (!parse_range(value, &range))
        return error_set(error, "reserve=%s: expected OFFSET+BYTES, such as 0+4KiB", value);
    add_range(memory, range);
    return true;
}

static bool is_name(const char *text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

    return text[0] != '\0' && text[strspn(text, letters)] == '\0';
}

/* The word up to the next comma; *AT goes behind it.  NULL: there is none.  */
static char *next_word(char **at)
{
    char *word = *at, *comma;

    if (word == NULL)
        return NULL;
    comma = strchr(word, ',');
    *at = comma == NULL ? NULL : comma + 1;
    if (comma != NULL)
        *comma = '\0';
    return word;
}

/* BYTES, or a share such as 50%.  */
static bool parse_capacity(struct memory *memory, char *text)
{
    char *percent = strchr(text, '%');
    bool good;

    if (percent == NULL || percent[1] != '\0')
        return parse_bytes(text, 0, INT64_MAX - 1, &memory->capacity);
    *percent = '\0';
    good = parse_real(text, 0.0, MOST_PER_CENT, &memory->share) && memory->share > 0.0;
    memory->share /= 100.0;
    *percent = '%';
    return good;
}

/* TEXT is taken apart.  */
static bool parse_memory(struct memory *memory, char *text, struct error *error)
{
    char *at = text, *name = next_word(&at), *capacity = strchr(name, '='), *word;

    if (capacity != NULL)
        *capacity++ = '\0';
    if (!is_name(name))
        return error_set(error, "the name '%s'; " EXPECTED, name);
    memory->name = memory_strdup(name);
    if (capacity != NULL && !parse_capacity(memory, capacity))
        return error_set(error,
                         "the capacity '%s'; expected bytes, such as 262144 or 256KiB, or a share "
                         "of the load, such as 50%%",
                         capacity);
    while ((word = next_word(&at)) != NULL)
        if (!add_setting(memory, word, error))
            return false;
    return true;
}

int memory_range_compare(const void *a, const void *b)
{
    const struct memory_range *x = a, *y = b;

    return ORDER(x->begin, y->begin);
}

static bool check_ranges(struct memory *memory, struct error *error)
{
    sort_stable(memory->reserved, memory->n_reserved, sizeof *memory->reserved,
                memory_range_compare);
    for (size_t i = 0; i < memory->n_reserved; i++) {
        if (memory->reserved[i].end > memory->capacity)
            return error_set(error, "a reserved range ends above the capacity");
        if (i > 0 && memory->reserved[i].begin < memory->reserved[i - 1].end)
            return error_set(error, "two reserved ranges overlap");
    }
    return true;
}

static void clear_memory(struct memory *memory)
{
    memory_free(memory->name);
    memory_free(memory->reserved);
}

bool memories_add(struct memories *memories, const char *text, struct error *error)
{
    struct memory memory = {.capacity = INT64_MAX, .alignment = 1, .read = -1, .write = -1};
    char *copy = memory_strdup(text);
    bool good = parse_memory(&memory, copy, error) && check_ranges(&memory, error);

    memory_free(copy);
    for (size_t m = 0; good && m < memories->count; m++)
        if (strcmp(memories->memory[m].name, memory.name) == 0)
            good = error_set(error, "there is a memory '%s' already; expected a name of its own",
                             memory.name);
    if (!good) {
        clear_memory(&memory);
        return error_prefix(error, "memory '%s'", text);
    }
    memories->memory = memory_resize(memories->memory, memories->count + 1, sizeof memory);
    memories->memory[memories->count++] = memory;
    return true;
}

bool memories_size(struct memories *memories, int64_t load, struct error *error)
{
    for (size_t m = 0; m < memories->count; m++) {
        struct memory *memory = &memories->memory[m];
        const double bytes = memory->share * (double)load;

        if (memory->share == 0.0)
            continue;
        memory->capacity = bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX - 1;
        if (!check_ranges(memory, error))
            return error_prefix(error, "memory '%s', of %lld bytes", memory->name,
                                (long long)memory->capacity);
    }
    return true;
}

void memories_clear(struct memories *memories)
{
    for (size_t m = 0; m < memories->count; m++)
        clear_memory(&memories->memory[m]);
    memory_free(memories->memory);
    *memories = (struct memories){0};
}

void memories_default_costs(struct memories *memories)
{
    bool said = false;

    for (size_t m = 0; m < memories->count; m++)
        said = said || memories->memory[m].read >= 0 || memories->memory[m].write >= 0;
    for (size_t m = 0; m < memories->count; m++) {
        struct memory *memory = &memories->memory[m];
        const int64_t usual = said || m == 0 ? 0 : MEMORY_COST_UNIT;

        memory->read = memory->read >= 0 ? memory->read : usual;
        memory->write = memory->write >= 0 ? memory->write : usual;
    }
}

int64_t memory_room(const struct memory *memory)
{
    int64_t room = memory->capacity;

    for (size_t i = 0; room < INT64_MAX && i < memory->n_reserved; i++)
        room -= memory->reserved[i].end - memory->reserved[i].begin;
    return room;
}

int64_t memory_alignment(const struct memory *memory, int64_t alignment)
{
    int64_t multiple;

    return checked_lcm(alignment, memory->alignment, &multiple) ? multiple : INT64_MAX;
}
