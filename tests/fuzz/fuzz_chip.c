/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as the memories of a chip: refused with a message that names the file, or one memory at
 * least, no two of one name.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "memories/chip.h"
#include "tests/fuzz/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memories memories = {0};
    struct error error = {""};
    char *text = bytes_text(data, size);

    if (chip_parse("fuzz.chip", text, &memories, &error)) {
        must(memories.count > 0);
        for (size_t a = 0; a < memories.count; a++)
            for (size_t b = 0; b < a; b++)
                must(strcmp(memories.memory[a].name, memories.memory[b].name) != 0);
    } else {
        must(strncmp(error.text, "fuzz.chip:", 10) == 0);
    }
    memories_clear(&memories);
    memory_free(text);
    return 0;
}
