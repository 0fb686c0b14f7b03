/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/computation.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"

/* The numbers 0, 1, 2, ...  */
static size_t *first_slots(size_t count)
{
    size_t *slot = memory_alloc(count, sizeof *slot);

    for (size_t i = 0; i < count; i++)
        slot[i] = i;
    return slot;
}

struct computation *computation_new(const char *name, int64_t version, size_t inputs,
                                    size_t outputs)
{
    struct computation *computation = memory_zalloc(1, sizeof *computation);

    computation->name = memory_strdup(name);
    computation->version = version;
    computation->inputs = inputs;
    computation->input = first_slots(inputs);
    computation->outputs = outputs;
    computation->output = first_slots(outputs);
    return computation;
}

static void clear_attribute(struct attribute *attribute)
{
    free(attribute->name);
    free(attribute->integer);
    free(attribute->real);
    free(attribute->text);
}

/* An empty attribute NAME, in the place of the one that is there.  */
static struct attribute *add(struct computation *computation, const char *name)
{
    struct attribute *attribute = (struct attribute *)computation_find(computation, name);
    char *own = memory_strdup(name);

    if (attribute != NULL) {
        clear_attribute(attribute);
    } else {
        computation->attribute =
            memory_grow(computation->attribute, &computation->attribute_capacity,
                        computation->attributes + 1, sizeof *computation->attribute);
        attribute = &computation->attribute[computation->attributes++];
    }
    *attribute = (struct attribute){.name = own};
    return attribute;
}

void computation_set_integers(struct computation *computation, const char *name,
                              const int64_t *integer, size_t count)
{
    struct attribute *attribute = add(computation, name);

    attribute->integers = count;
    attribute->integer = memory_copy(integer, count, sizeof *integer);
}

void computation_set_integer(struct computation *computation, const char *name, int64_t integer)
{
    computation_set_integers(computation, name, &integer, 1);
}

void computation_set_reals(struct computation *computation, const char *name, const double *real,
                           size_t count)
{
    struct attribute *attribute = add(computation, name);

    attribute->reals = count;
    attribute->real = memory_copy(real, count, sizeof *real);
}

void computation_set_real(struct computation *computation, const char *name, double real)
{
    computation_set_reals(computation, name, &real, 1);
}

void computation_set_text(struct computation *computation, const char *name, const char *text)
{
    add(computation, name)->text = memory_strdup(text);
}

static void copy_attribute(struct computation *to, const struct attribute *from)
{
    if (from->text != NULL)
        computation_set_text(to, from->name, from->text);
    else if (from->real != NULL)
        computation_set_reals(to, from->name, from->real, from->reals);
    else
        computation_set_integers(to, from->name, from->integer, from->integers);
}

static void copy_attributes(struct computation *to, const struct computation *from)
{
    for (size_t i = 0; i < from->attributes; i++)
        copy_attribute(to, &from->attribute[i]);
}

struct computation *computation_copy(const struct computation *computation)
{
    struct computation *copy;

    if (computation == NULL)
        return NULL;
    copy = computation_new(computation->name, computation->version, computation->inputs,
                           computation->outputs);
    memcpy(copy->input, computation->input, copy->inputs * sizeof *copy->input);
    memcpy(copy->output, computation->output, copy->outputs * sizeof *copy->output);
    copy_attributes(copy, computation);
    copy->length = computation->length == NULL ? NULL : memory_strdup(computation->length);
    copy->widened = computation->widened;
    copy->then = computation_copy(computation->then);
    return copy;
}

struct computation *computation_derive(const struct computation *from, const char *name,
                                       size_t inputs, size_t outputs)
{
    struct computation *computation = computation_new(name, from->version, inputs, outputs);

    for (size_t i = 0; i < inputs; i++)
        computation->input[i] = NETWORK_NONE;
    for (size_t i = 0; i < outputs; i++)
        computation->output[i] = NETWORK_NONE;
    copy_attributes(computation, from);
    return computation;
}

void computation_free(struct computation *computation)
{
    if (computation == NULL)
        return;
    for (size_t i = 0; i < computation->attributes; i++)
        clear_attribute(&computation->attribute[i]);
    computation_free(computation->then);
    free(computation->attribute);
    free(computation->name);
    free(computation->length);
    free(computation->input);
    free(computation->output);
    free(computation);
}

void computation_use_input(struct computation *computation, size_t i, size_t slot)
{
    if (i >= computation->inputs) {
        computation->input = memory_resize(computation->input, i + 1, sizeof *computation->input);
        while (computation->inputs <= i)
            computation->input[computation->inputs++] = NETWORK_NONE;
    }
    computation->input[i] = slot;
}

void computation_append(struct computation *first, struct computation *then)
{
    while (first->then != NULL)
        first = first->then;
    first->then = then;
}

/* --- reading --- */

const struct attribute *computation_find(const struct computation *computation, const char *name)
{
    for (size_t i = 0; i < computation->attributes; i++)
        if (strcmp(computation->attribute[i].name, name) == 0)
            return &computation->attribute[i];
    return NULL;
}

const int64_t *computation_integers(const struct computation *computation, const char *name,
                                    size_t *count)
{
    const struct attribute *attribute = computation_find(computation, name);

    *count = attribute == NULL ? 0 : attribute->integers;
    return attribute == NULL ? NULL : attribute->integer;
}

const double *computation_reals(const struct computation *computation, const char *name,
                                size_t *count)
{
    const struct attribute *attribute = computation_find(computation, name);

    *count = attribute == NULL ? 0 : attribute->reals;
    return attribute == NULL ? NULL : attribute->real;
}

int64_t computation_integer(const struct computation *computation, const char *name,
                            int64_t otherwise)
{
    size_t count;
    const int64_t *integer = computation_integers(computation, name, &count);

    return count == 1 ? integer[0] : otherwise;
}

double computation_real(const struct computation *computation, const char *name, double otherwise)
{
    size_t count;
    const double *real = computation_reals(computation, name, &count);

    return count == 1 ? real[0] : otherwise;
}

const char *computation_text(const struct computation *computation, const char *name,
                             const char *otherwise)
{
    const struct attribute *attribute = computation_find(computation, name);

    return attribute == NULL || attribute->text == NULL ? otherwise : attribute->text;
}

bool computation_text_is(const struct computation *computation, const char *name, const char *text,
                         bool otherwise)
{
    const char *found = computation_text(computation, name, NULL);

    return found == NULL ? otherwise : strcmp(found, text) == 0;
}
