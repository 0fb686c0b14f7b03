/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What memory.h promises beside blocks: what happens in a program when memory is out, and what is
 * made by the C library.  */
#include <config.h>

#include "lib/base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory_scope.h"

static memory_hook *current_hook;
static void *current_context;

void memory_set_hook(memory_hook *hook, void *context)
{
    current_hook = hook;
    current_context = context;
}

_Noreturn void memory_exhausted(void)
{
    memory_scope_leave();
    if (current_hook != NULL)
        current_hook(current_context);
    fputs("arenabench: out of memory\n", stderr);
    exit(1);
}

void *memory_aligned(size_t alignment, size_t size)
{
    void *result;

    if (posix_memalign(&result, alignment, size == 0 ? 1 : size) != 0)
        memory_exhausted();
    return result;
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
