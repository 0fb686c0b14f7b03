/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory_scope.h"

void *memory_resize(void *block, size_t count, size_t size)
{
    void *result;
    size_t bytes;

    if (count == 0 || size == 0)
        count = size = 1;
    if (memory_scope_pool() != NULL)
        return memory_scope_resize(block, count, size);
    result = __builtin_mul_overflow(count, size, &bytes) ? NULL : realloc(block, bytes);
    if (result == NULL)
        memory_exhausted();
    return result;
}

void *memory_alloc(size_t count, size_t size)
{
    return memory_resize(NULL, count, size);
}

void *memory_zalloc(size_t count, size_t size)
{
    void *result;

    if (count == 0 || size == 0)
        count = size = 1;
    if (memory_scope_pool() != NULL)
        return memset(memory_scope_resize(NULL, count, size), 0, count * size);
    result = calloc(count, size);
    if (result == NULL)
        memory_exhausted();
    return result;
}

void *memory_copy(const void *block, size_t count, size_t size)
{
    void *copy = memory_alloc(count, size);

    if (count > 0)
        memcpy(copy, block, count * size);
    return copy;
}

char *memory_strdup(const char *text)
{
    return memory_copy(text, strlen(text) + 1, 1);
}

void memory_free(void *block)
{
    if (memory_scope_pool() != NULL)
        memory_scope_free(block);
    else
        free(block);
}

void *memory_grow(void *block, size_t *capacity, size_t needed, size_t size)
{
    size_t wanted = *capacity == 0 ? 8 : *capacity;

    if (needed <= *capacity)
        return block;
    while (wanted < needed) {
        if (wanted > SIZE_MAX / 2)
            memory_exhausted();
        wanted *= 2;
    }
    block = memory_resize(block, wanted, size);
    *capacity = wanted;
    return block;
}
