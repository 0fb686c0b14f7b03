#include <config.h>

#include "lib/base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static memory_hook *current_hook;
static void *current_context;

void memory_set_hook(memory_hook *hook, void *context)
{
    current_hook = hook;
    current_context = context;
}

_Noreturn void memory_exhausted(void)
{
    if (current_hook != NULL)
        current_hook(current_context);
    fputs("arenabench: out of memory\n", stderr);
    exit(1);
}

void *memory_resize(void *block, size_t count, size_t size)
{
    void *result;

    if (count == 0 || size == 0)
        count = size = 1;
    result = reallocarray(block, count, size);
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
    void *result = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);

    if (result == NULL)
        memory_exhausted();
    return result;
}

void *memory_aligned(size_t alignment, size_t size)
{
    void *result;

    if (posix_memalign(&result, alignment, size == 0 ? 1 : size) != 0)
        memory_exhausted();
    return result;
}

char *memory_strdup(const char *text)
{
    size_t length = strlen(text) + 1;

    return memcpy(memory_alloc(length, 1), text, length);
}

void memory_free(void *block)
{
    free(block);
}

static char *print(const char *format, va_list args)
{
    char *result;

    if (vasprintf(&result, format, args) < 0)
        memory_exhausted();
    return result;
}

char *memory_printf(const char *format, ...)
{
    char *result;
    va_list args;

    va_start(args, format);
    result = print(format, args);
    va_end(args);
    return result;
}

char *memory_append(char *text, const char *format, ...)
{
    char *more, *longer;
    va_list args;

    va_start(args, format);
    more = print(format, args);
    va_end(args);
    longer = memory_printf("%s%s", text, more);
    free(more);
    free(text);
    return longer;
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

FILE *memory_stream(char **text, size_t *length)
{
    FILE *stream = open_memstream(text, length);

    if (stream == NULL)
        memory_exhausted();
    return stream;
}

/* What can go wrong with such a stream is that there is no memory.  */
void memory_stream_close(FILE *stream)
{
    bool whole = !ferror(stream);

    if (fclose(stream) != 0 || !whole)
        memory_exhausted();
}
