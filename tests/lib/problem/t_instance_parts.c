/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes with an instance: pieces and overwrites that are refused, a subset's, the numbers of
 * intervals, a nest's copy, names.  By hand.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/memory_scope.h"
#include "lib/lifetimes/nest.h"
#include "lib/problem/instance.h"
#include "lib/problem/intervals.h"
#include "lib/problem/plan.h"
#include "lib/problem/search_statistics.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* Two buffers: "a" of COUNT pieces and one more, with an overwrite of one piece by another for
 * each pair of LINK, LINKS numbers.  */
static struct instance *linked(const struct piece *piece, size_t count, const size_t *link,
                               size_t links)
{
    struct instance *instance = instance_new("linked");

    instance_add_pieces(instance, "a", piece, count, 1);
    rows_add(instance, "b 0 9 8");
    for (size_t i = 0; i < links; i += 2)
        instance_add_overwrite(instance, link[i], link[i + 1]);
    return instance;
}

static void sealing(const struct piece *piece, size_t count, const size_t *link, size_t links,
                    const char *what)
{
    struct instance *instance = linked(piece, count, link, links);
    struct error error = {""};
    bool good = instance_seal(instance, NULL, &error);

    ok(what == NULL ? good : !good && strstr(error.text, what) != NULL, "%s: %s",
       what == NULL ? "accepted" : what, error.text);
    instance_free(instance);
}

static void refusals(void)
{
    static const struct piece chain[] = {
        {0, 2, 0, 8, true}, {1, 4, 0, 4, true}, {3, 6, 0, 4, true}, {1, 4, 4, 8, true}};
    static const struct piece below[] = {{0, 2, -1, 8, true}}, none[] = {{0, 2, 4, 4, true}},
                              over[] = {{2, 2, 0, 4, true}};

    sealing(chain, 3, (const size_t[]){1, 0, 2, 1}, 4, NULL);
    sealing(chain, 3, (const size_t[]){2, 1, 1, 0}, 4, NULL);
    sealing(chain, 3, (const size_t[]){1, 1}, 2, "overwrites itself");
    sealing(chain, 3, (const size_t[]){1, 3}, 2, "another buffer's");
    sealing(chain, 3, (const size_t[]){2, 0}, 2, "last step");
    sealing(chain, 4, (const size_t[]){2, 3}, 2, "last step"); /* bytes that it does not have */
    sealing(chain, 4, (const size_t[]){1, 0, 3, 0}, 4, "do not form a chain");
    sealing((const struct piece[]){{0, 2, 0, 8, true}, {0, 2, 0, 8, true}, {1, 4, 0, 8, true}}, 3,
            (const size_t[]){2, 0, 2, 1}, 4, "do not form a chain");
    sealing(
        (const struct piece[]){
            {0, 2, 0, 8, true}, {0, 2, 0, 8, true}, {1, 4, 0, 8, true}, {3, 6, 0, 8, true}},
        4, (const size_t[]){2, 0, 3, 2, 2, 1}, 6, "do not form a chain");
    sealing((const struct piece[]){{0, 2, 2, 8, true}, {1, 4, 0, 8, true}}, 2,
            (const size_t[]){1, 0}, 2, "last step");
    sealing((const struct piece[]){{0, 2, 0, 6, true}, {1, 4, 0, 8, true}}, 2,
            (const size_t[]){1, 0}, 2, "last step");
    sealing(below, 1, NULL, 0, "piece [-1, 8)");
    sealing(none, 1, NULL, 0, "piece [4, 4)");
    sealing(over, 1, NULL, 0, "is empty");
}

/* A piece above its buffer's size, which only a caller who changes that can make.  */
static void too_high(void)
{
    struct instance *instance = instance_new("high");
    struct instance_fault fault;
    struct error error = {""};

    rows_add(instance, "z 0 1 8; a 0 1 8");
    instance->buffer[1].size = 7;
    ok(!instance_seal(instance, &fault, &error) && strstr(error.text, "piece [0, 8) of 7") != NULL,
       "a piece above the buffer: %s", error.text);
    ok(!fault.empty && fault.index == 1, "of buffer 1");
    instance_free(instance);
}

/* A subset keeps the overwrites of what it keeps, and the numbers of intervals.  */
static void subsets(void)
{
    static const struct piece chain[] = {{0, 2, 0, 8, true}, {1, 4, 0, 4, true}};
    static const size_t number[] = {7, 5, 3}, both[] = {1, 0};
    struct instance *instance = linked(chain, 2, (const size_t[]){1, 0}, 2), *part;
    size_t *got;

    instance_number_pieces(instance, number);
    sealed(instance);
    part = instance_subset(instance, both, 2);
    is_int((int64_t)part->n_overwrites, 1, "an overwrite is kept");
    is_int((int64_t)part->overwrite[0].by, 2, "by the piece as it is numbered now");
    is_int((int64_t)part->overwrite[0].of, 1, "of that one");
    ok(instance_checksum(part) != instance_checksum(instance), "which is another instance");
    got = intervals_number(part);
    ok(got[0] == 3 && got[1] == 7 && got[2] == 5, "the numbers of intervals went along");
    free(got);
    instance_free(part);
    part = instance_subset(instance, both, 1);
    is_int((int64_t)part->n_overwrites, 0, "that of a buffer left out is not");
    instance_free(part);
    instance_free(instance);
}

static void nests(void *context)
{
    struct nest *nest = nest_new(2, 3);

    (void)context;
    nest->part[0] = (struct nest_part){memory_strdup("loop"), NEST_NONE, 1, 9};
    nest->part[1] = (struct nest_part){memory_strdup("loop/inner"), 0, 2, 5};
    nest->home[1] = 0;
    nest->home[2] = 1;
    ok(nest->home[0] == NEST_NONE, "a buffer is of no part unless somebody says so");
    ok(nest_common(nest, 0, 1) == 0 && nest_common(nest, 1, 1) == 1, "what two parts are in");
    nest_free(nest);
}

static void *take(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void give_back(void *context, void *block, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(block);
}

static void nests_in_a_pool(void)
{
    struct memory_pool pool;

    memory_pool_init(&pool, take, give_back, NULL, 0);
    ok(memory_scope_run(&pool, nests, NULL) && pool.most > 0, "nests take memory");
    ok(pool.first == NULL, "all of which they give back");
    memory_pool_clear(&pool);
}

static void clean(const char *text, const char *want)
{
    char *id = instance_clean_id(text);

    is_text(id, want, "'%s' as an id", text);
    free(id);
}

static void names(void)
{
    enum outcome outcome = OUTCOME_CRASHED;

    clean("", "_");
    clean("conv1/w:0_a.b-c", "conv1/w:0_a.b-c");
    clean("a b,\"c\"\xc3\xa9", "a_b__c___");
    for (int i = 0; i < 8; i++)
        ok(outcome_from_name(outcome_name((enum outcome)i), &outcome) && (int)outcome == i, "%s",
           outcome_name((enum outcome)i));
    ok(!outcome_from_name("banana", &outcome), "no outcome");
}

/* Each count of one is added to that of the other.  */
static void statistics(void)
{
    struct search_statistics sum = {{0}}, more = {{0}};
    bool all = true;

    for (int s = 0; s < STATISTICS; s++) {
        sum.count[s] = 100 + s;
        search_statistics_add(&more, (enum search_statistic)s, s + 1);
    }
    search_statistics_join(&sum, &more);
    for (int s = 0; s < STATISTICS; s++)
        all = all && sum.count[s] == 101 + 2 * s;
    ok(all, "statistics are added up, one by one");
}

int main(void)
{
    refusals();
    too_high();
    subsets();
    nests_in_a_pool();
    names();
    statistics();
    return tap_done();
}
