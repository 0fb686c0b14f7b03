/* SPDX-License-Identifier: Apache-2.0 */
/* What lib/base/memory.h promises beside blocks, where there is no program around: in place of
 * memory_process.c.  */
#include <config.h>

#include <stdarg.h>
#include <stdio.h>

#include "lib/base/memory.h"
#include "lib/base/memory_scope.h"

_Noreturn void memory_exhausted(void)
{
    memory_scope_leave();
    /* Each function of the library begins with a scope.  */
    __builtin_unreachable();
}

char *memory_printf(const char *format, ...)
{
    char *result;
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        memory_exhausted();
    result = memory_alloc((size_t)length + 1, 1);
    va_start(args, format);
    vsnprintf(result, (size_t)length + 1, format, args);
    va_end(args);
    return result;
}
