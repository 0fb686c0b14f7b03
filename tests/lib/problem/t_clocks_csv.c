/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances with vector clocks: the conflicts of random ones by their definition, and what is
 * refused.  */
#include <config.h>

#include "lib/problem/clocks_csv.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static struct instance *read_text(const char *text, struct error *error)
{
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    struct instance *instance = clocks_csv_read(in, "clocks.csv", error);

    fclose(in);
    return instance;
}

enum { MOST = 20, STREAMS = 4 };

/* Random clocks of buffers, and their rows.  */
struct drawn {
    size_t n, streams;
    int64_t lower[MOST][STREAMS], upper[MOST][STREAMS];
    char *text;
};

static char *with_clock(char *text, const int64_t *clock, size_t streams)
{
    for (size_t i = 0; i < streams; i++)
        text = memory_append(text, "%s%d", i > 0 ? ":" : ",", (int)clock[i]);
    return text;
}

static void draw(struct drawn *drawn, struct rng *rng)
{
    drawn->n = (size_t)rng_range(rng, 1, MOST);
    drawn->streams = (size_t)rng_range(rng, 1, STREAMS);
    drawn->text = memory_strdup("id,lower,upper,size\n");
    for (size_t b = 0; b < drawn->n; b++) {
        for (size_t i = 0; i < drawn->streams; i++) {
            drawn->lower[b][i] = rng_range(rng, 0, 6);
            drawn->upper[b][i] = drawn->lower[b][i] + rng_range(rng, 0, 3);
        }
        drawn->upper[b][rng_range(rng, 0, (int64_t)drawn->streams - 1)] += 1;
        drawn->text = memory_append(drawn->text, "b%zu", b);
        drawn->text = with_clock(drawn->text, drawn->lower[b], drawn->streams);
        drawn->text = with_clock(drawn->text, drawn->upper[b], drawn->streams);
        drawn->text = memory_append(drawn->text, ",%d\n", (int)rng_range(rng, 1, 9));
    }
}

/* Component by component.  */
static bool before(const struct drawn *drawn, size_t a, size_t b)
{
    bool all = true;

    for (size_t i = 0; i < drawn->streams; i++)
        all = all && drawn->upper[a][i] <= drawn->lower[b][i];
    return all;
}

static bool as_defined(struct rng *rng)
{
    struct drawn drawn;
    struct instance *instance;
    bool good;

    draw(&drawn, rng);
    instance = read_text(drawn.text, NULL);
    good = instance != NULL && instance->n == drawn.n;
    for (size_t a = 0; a < drawn.n && good; a++)
        for (size_t b = 0; b < a && good; b++)
            good = lives_meet(instance, a, b) != (before(&drawn, a, b) || before(&drawn, b, a));
    if (!good)
        tap_diag("%s", drawn.text);
    instance_free(instance);
    memory_free(drawn.text);
    return good;
}

static void refused(const char *row, const char *message)
{
    char *text = memory_printf("id,lower,upper,size\na,0:1,2:1,4\n%s\n", row);
    struct error error = {""};

    ok(read_text(text, &error) == NULL, "refused: %s", row);
    is_text(error.text, message, "with the place");
    memory_free(text);
}

/* As OmniMalloc writes a pool that is planned.  */
static void test_planned(void)
{
    struct error error = {""};
    struct instance *instance = read_text(
        "# pool_offset=64\r\nid,lower,upper,size,offset,kind\r\n0,0:0,2:1,64,0,CONSTANT\r\n"
        "1,2:0,3:1,32,,\r\n",
        &error);

    if (!ok(instance != NULL, "offsets and kinds are passed over"))
        tap_diag("%s", error.text);
    is_int(instance != NULL ? instance->load : 0, 96, "the rest is as it is");
    instance_free(instance);
    ok(read_text("# pool_offset=64\nid,lower,upper,size\na,0,1,x\n", &error) == NULL, "refused");
    is_text(error.text, "clocks.csv:3:7: size 'x'; expected a whole number, at least 1",
            "with the line of the file");
    ok(read_text("id,lower,upper,size,alignement\n", &error) == NULL, "refused");
    is_text(error.text,
            "clocks.csv:1:21: unknown column 'alignement'; expected a header such as "
            "id,lower,upper,size",
            "an unknown column");
    ok(read_text("# pool_offset=64", &error) == NULL, "a pool without buffers");
}

int main(void)
{
    struct rng *rng = rng_new(21);
    struct instance *instance;
    int wrong = 0, rounds = tap_tier(500, 5000);

    for (int round = 0; round < rounds; round++)
        wrong += !as_defined(rng);
    is_int(wrong, 0, "%d instances conflict as their clocks say", rounds);
    rng_free(rng);
    instance = read_text("id,lower,upper,size,alignment\na,0,2,4,1\nb,2,3,4,8\n", NULL);
    ok(instance != NULL && !lives_meet(instance, 0, 1), "a clock of one number is a time");
    is_int(instance->buffer[1].alignment, 8, "alignments are read");
    instance_free(instance);
    refused("b,0:1:2,3:1:2,4", "clocks.csv:3:3: a clock of 3 numbers; expected 2, as before");
    refused("b,0:x,3:1,4",
            "clocks.csv:3:3: no clock '0:x'; expected whole numbers with colons between, as 3:0:7");
    refused("b,0:,3:1,4",
            "clocks.csv:3:3: no clock '0:'; expected whole numbers with colons between, as 3:0:7");
    refused("b,3:0,2:5,4", "clocks.csv:3:7: the upper clock is not behind the lower one");
    refused("b,3:0,3:0,4", "clocks.csv:3:7: the upper clock is not behind the lower one");
    refused("b,0:1,3:1,0", "clocks.csv:3:11: size '0'; expected a whole number, at least 1");
    refused("a,0:1,3:1,4", "clocks.csv: the id 'a' stands twice");
    test_planned();
    return tap_done();
}
