/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "planner/disjunctive/proof_file.h"

#include <unistd.h>

static int64_t place(void *context)
{
    struct proof_file *file = context;

    return ftell(file->out);
}

static bool cut(void *context, int64_t at)
{
    struct proof_file *file = context;

    return fseek(file->out, (long)at, SEEK_SET) == 0 && ftruncate(fileno(file->out), at) == 0;
}

static void begin(void *context, const struct certificate_scope *scope)
{
    struct proof_file *file = context;

    certificate_writer_begin(&file->writer, file->instance, file->out, scope);
}

static void line(void *context, enum certificate_word word, const int64_t *number, size_t count)
{
    struct proof_file *file = context;

    certificate_writer_line(&file->writer, word, number, count);
}

static void end(void *context)
{
    struct proof_file *file = context;

    certificate_writer_end(&file->writer);
}

void proof_file_init(struct proof_file *file, const struct instance *instance, FILE *out)
{
    *file = (struct proof_file){
        .sink = {file, place, cut, begin, line, end},
        .instance = instance,
        .out = out,
    };
}
