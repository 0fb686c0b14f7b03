/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that describe a memory, and what is wrong with others.  */
#include <config.h>

#include "memories/memory.h"

#include <string.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

static void reads(void)
{
    struct memories memories = {0};
    struct error error = {""};

    ok(memories_add(&memories, "sram=256KiB,read=1,write=1.5,align=16,reserve=1KiB+24,reserve=0+4",
                    &error) &&
           memories_add(&memories, "dram", &error) && memories.count == 2,
       "two memories: %s", error.text);
    is_text(memories.memory[0].name, "sram", "the name");
    is_int(memories.memory[0].capacity, 262144, "the capacity");
    is_int(memories.memory[0].alignment, 16, "the alignment");
    is_int(memories.memory[0].read, 1000, "thousandths for a byte that is read");
    is_int(memories.memory[0].write, 1500, "and written");
    is_int((int64_t)memories.memory[0].n_reserved, 2, "two reserved ranges");
    is_int(memories.memory[0].reserved[0].end, 4, "the lower one first");
    is_int(memories.memory[0].reserved[1].begin, 1024, "then the other");
    is_int(memory_room(&memories.memory[0]), 262144 - 28, "which buffers can't have");
    is_int(memory_room(&memories.memory[1]), INT64_MAX, "no limit");
    memories_default_costs(&memories);
    is_int(memories.memory[1].read, 0, "what is not said is 0 where something is");
    memories_clear(&memories);
}

static void defaults(void)
{
    struct memories memories = {0};
    struct error error;

    ok(memories_add(&memories, "a=1", &error) && memories_add(&memories, "b", &error), "no costs");
    memories_default_costs(&memories);
    is_int(memories.memory[0].read, 0, "nothing in the first one");
    is_int(memories.memory[1].read, MEMORY_COST_UNIT, "one for a byte elsewhere");
    is_int(memories.memory[1].write, MEMORY_COST_UNIT, "written, too");
    memories_clear(&memories);
}

static void refuses(void)
{
    static const char *const wrong[][2] = {
        {"", "the name ''"},
        {"=4", "the name ''"},
        {"a b=4", "the name 'a b'"},
        {"a=", "the capacity ''"},
        {"a=-1", "the capacity '-1'"},
        {"a=1.5", "the capacity '1.5'"},
        {"a=4XB", "the capacity '4XB'"},
        {"a=4,read", "'read': expected read=, write=, align= or reserve="},
        {"a=4,speed=3", "'speed': expected"},
        {"a=4,read=-1", "read=-1: expected the cost of a byte"},
        {"a=4,read=0.0001", "read=0.0001: expected"},
        {"a=4,write=nan", "write=nan: expected"},
        {"a=4,align=0", "align=0: expected bytes, at least 1"},
        {"a=4,reserve=2", "reserve=2: expected OFFSET+BYTES"},
        {"a=4,reserve=2+", "reserve=2"},
        {"a=4,reserve=2+3", "a reserved range ends above the capacity"},
        {"a=9,reserve=2+3,reserve=4+1", "two reserved ranges overlap"},
        {"twice=5", "there is a memory 'twice' already"},
    };
    struct memories memories = {0};
    struct error error;

    ok(memories_add(&memories, "twice", &error), "one of that name");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *before = memory_printf("memory '%s': ", wrong[i][0]);

        ok(!memories_add(&memories, wrong[i][0], &error) &&
               strncmp(error.text, before, strlen(before)) == 0 &&
               strstr(error.text, wrong[i][1]) != NULL,
           "'%s': %s", wrong[i][0], error.text);
        memory_free(before);
    }
    is_int((int64_t)memories.count, 1, "nothing of them is kept");
    memories_clear(&memories);
}

int main(void)
{
    reads();
    defaults();
    refuses();
    return tap_done();
}
