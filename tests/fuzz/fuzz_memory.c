/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as the description of a memory: it is refused, or has a name, a room within its
 * capacity, and reserved ranges that are apart.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "memories/memory.h"
#include "tests/fuzz/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memories memories = {0};
    struct error error = {""};
    char *text = bytes_text(data, size);

    if (memories_add(&memories, text, &error)) {
        const struct memory *memory = &memories.memory[0];

        must(memory->name[0] != '\0' && memory->alignment > 0 && memory->capacity >= 0);
        must(memory_room(memory) >= 0 && memory_room(memory) <= memory->capacity);
        for (size_t i = 1; i < memory->n_reserved; i++)
            must(memory->reserved[i - 1].end <= memory->reserved[i].begin);
        must(!memories_add(&memories, text, &error));
        memories_default_costs(&memories);
        must(memory->read >= 0 && memory->write >= 0);
    } else {
        must(error.text[0] != '\0' && memories.count == 0);
    }
    memories_clear(&memories);
    memory_free(text);
    return 0;
}
