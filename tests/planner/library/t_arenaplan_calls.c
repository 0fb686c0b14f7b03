/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's promises around the answer: what is refused, and in which words.  */
#include <config.h>

#include "planner/arenaplan.h"

#include <math.h>
#include <string.h>

#include "tests/support/library_case.h"
#include "tests/support/tap.h"

enum { UNTOUCHED = 77 };

/* --- what is refused --- */

static const struct arenaplan_piece two_pieces[] = {{0, 2, 0, 8}, {1, 3, 8, 16}},
                                    crossing[] = {{0, 2, 0, 8}, {1, 3, 7, 16}},
                                    empty_piece[] = {{0, 2, 4, 4}}, below[] = {{0, 2, -1, 4}},
                                    dead_piece[] = {{2, 2, 0, 4}};

/* A buffer beside a good one, and what is wrong with it.  */
static const struct {
    const char *what;
    struct arenaplan_buffer buffer;
    enum arenaplan_fault fault;
} refused[] = {
    {"nothing", {.begin = 0, .end = 1, .size = 4}, ARENAPLAN_FAULT_NONE},
    {"nothing, of size 0", {.begin = 0, .end = 1}, ARENAPLAN_FAULT_NONE},
    {"a life of no step", {.begin = 1, .end = 1, .size = 4}, ARENAPLAN_FAULT_LIFETIME},
    {"a life backwards", {.begin = 2, .end = 1, .size = 4}, ARENAPLAN_FAULT_LIFETIME},
    {"a negative size", {.end = 1, .size = -1}, ARENAPLAN_FAULT_SIZE},
    {"a negative alignment", {.end = 1, .size = 4, .alignment = -8}, ARENAPLAN_FAULT_ALIGNMENT},
    {"an unknown flag", {.end = 1, .size = 4, .flags = 2}, ARENAPLAN_FAULT_FLAGS},
    {"a reserved word", {.end = 1, .size = 4, .reserved = 1}, ARENAPLAN_FAULT_FLAGS},
    {"pieces without an array", {.end = 1, .size = 4, .pieces = 1}, ARENAPLAN_FAULT_PIECE},
    {"an array of no pieces", {.size = 4, .piece = two_pieces}, ARENAPLAN_FAULT_PIECE},
    {"nothing, with pieces", {.size = 16, .piece = two_pieces, .pieces = 2}, ARENAPLAN_FAULT_NONE},
    {"nothing, with pieces and their size",
     {.piece = two_pieces, .pieces = 2},
     ARENAPLAN_FAULT_NONE},
    {"pieces above its size", {.size = 15, .piece = two_pieces, .pieces = 2}, ARENAPLAN_FAULT_SIZE},
    {"pieces that overlap", {.piece = crossing, .pieces = 2}, ARENAPLAN_FAULT_PIECE},
    {"an empty piece", {.piece = empty_piece, .pieces = 1}, ARENAPLAN_FAULT_PIECE},
    {"a piece below 0", {.piece = below, .pieces = 1}, ARENAPLAN_FAULT_PIECE},
    {"a piece of no step", {.piece = dead_piece, .pieces = 1}, ARENAPLAN_FAULT_LIFETIME},
    {"a fixed offset below 0",
     {.end = 1, .size = 4, .flags = ARENAPLAN_FIXED, .offset = -1},
     ARENAPLAN_FAULT_OFFSET},
    {"a fixed buffer that ends beyond 64 bits",
     {.end = 1, .size = 4, .flags = ARENAPLAN_FIXED, .offset = INT64_MAX - 3},
     ARENAPLAN_FAULT_OVERFLOW},
    {"sizes beyond 64 bits", {.end = 1, .size = INT64_MAX - 2}, ARENAPLAN_FAULT_OVERFLOW},
    {"an alignment beyond 64 bits",
     {.end = 1, .size = 4, .alignment = INT64_MAX / 2},
     ARENAPLAN_FAULT_OVERFLOW},
    {"times beyond 64 bits", {.begin = INT64_MIN, .end = 1, .size = 4}, ARENAPLAN_FAULT_OVERFLOW},
};

static bool refuses(size_t row, int layer)
{
    struct arenaplan_buffer buffer[] = {{.begin = 0, .end = 3, .size = 8}, refused[row].buffer};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 2);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t offset[] = {UNTOUCHED, UNTOUCHED + 8};
    enum arenaplan_status status = library_case_call(layer, &problem, NULL, offset, &result);

    if (refused[row].fault == ARENAPLAN_FAULT_NONE)
        return status <= ARENAPLAN_FEASIBLE && result.fault == ARENAPLAN_FAULT_NONE &&
               result.buffer == SIZE_MAX;
    return status == ARENAPLAN_INVALID && result.status == status &&
           result.fault == refused[row].fault && result.buffer == 1 && result.other == SIZE_MAX &&
           offset[0] == UNTOUCHED;
}

static void problems(void)
{
    for (size_t row = 0; row < sizeof refused / sizeof *refused; row++) {
        bool good = true;

        for (int layer = 0; layer < LAYERS; layer++)
            good = refuses(row, layer) && good;
        ok(good, "%s is what is wrong", refused[row].what);
    }
}

static void two_fixed(void)
{
    struct arenaplan_buffer buffer[] = {
        {.begin = 0, .end = 3, .size = 8, .flags = ARENAPLAN_FIXED, .offset = 3},
        {.begin = 0, .end = 1, .size = 8},
        {.begin = 2, .end = 4, .size = 8, .flags = ARENAPLAN_FIXED, .offset = 10}};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 3);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t offset[3];

    ok(arenaplan_plan(&problem, NULL, offset, &result) == ARENAPLAN_INVALID &&
           result.fault == ARENAPLAN_FAULT_OVERLAP && result.buffer == 2 && result.other == 0,
       "two fixed buffers that overlap are named");
    buffer[2].offset = 11;
    ok(arenaplan_plan(&problem, NULL, offset, &result) == ARENAPLAN_OPTIMAL && offset[0] == 3 &&
           offset[2] == 11 && result.peak == 19,
       "those that do not stay where they are");
}

static void structs(void)
{
    struct arenaplan_buffer buffer[] = {{.begin = 0, .end = 3, .size = 8}};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 1), other = problem;
    struct arenaplan_options options = ARENAPLAN_OPTIONS, wrong = options;
    struct arenaplan_result result = ARENAPLAN_RESULT, unknown = result;
    int64_t offset[] = {UNTOUCHED};
    bool good = true;

    for (int layer = 0; layer < LAYERS; layer++) {
        good = good && library_case_call(layer, NULL, NULL, offset, NULL) == ARENAPLAN_INVALID;
        good = good &&
               library_case_call(layer, &problem, NULL, NULL, &result) == ARENAPLAN_INVALID &&
               result.fault == ARENAPLAN_FAULT_STRUCT;
        other.struct_size = problem.struct_size - 1;
        good = good && library_case_call(layer, &other, NULL, offset, NULL) == ARENAPLAN_INVALID;
        other = problem;
        other.buffer_size--;
        good = good && library_case_call(layer, &other, NULL, offset, NULL) == ARENAPLAN_INVALID;
        other.buffer_size = SIZE_MAX;
        good = good && library_case_call(layer, &other, NULL, offset, NULL) == ARENAPLAN_INVALID;
        other = problem;
        wrong.struct_size = 0;
        good = good &&
               library_case_call(layer, &problem, &wrong, offset, &result) == ARENAPLAN_INVALID &&
               result.fault == ARENAPLAN_FAULT_STRUCT;
        unknown = (struct arenaplan_result)ARENAPLAN_RESULT;
        unknown.struct_size--;
        good =
            good &&
            library_case_call(layer, &problem, &options, offset, &unknown) == ARENAPLAN_INVALID &&
            unknown.fault == ARENAPLAN_FAULT_NONE;
    }
    ok(good && offset[0] == UNTOUCHED, "structs that are not known");
    unknown.struct_size = 0;
    ok(arenaplan_plan(&problem, NULL, offset, &unknown) == ARENAPLAN_INVALID &&
           unknown.fault == ARENAPLAN_FAULT_STRUCT,
       "a result without a size is told what is wrong");
}

/* Of a program that was built with a header of later.  */
static void longer_options(void)
{
    struct arenaplan_buffer buffer[] = {{.begin = 0, .end = 3, .size = 8}};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 1);
    struct {
        struct arenaplan_options known;
        char later[24];
    } options = {.known = ARENAPLAN_OPTIONS};
    int64_t offset[1];

    options.known.struct_size = sizeof options;
    ok(arenaplan_plan(&problem, &options.known, offset, NULL) == ARENAPLAN_OPTIMAL,
       "options that are not known are left out where they are 0");
    options.later[20] = 1;
    ok(arenaplan_plan(&problem, &options.known, offset, NULL) == ARENAPLAN_INVALID,
       "... and refused where they are not");
}

static bool option_refused(struct arenaplan_options options)
{
    struct arenaplan_buffer buffer[] = {{.begin = 0, .end = 3, .size = 8}};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 1);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t offset[1];

    return arenaplan_plan(&problem, &options, offset, &result) == ARENAPLAN_INVALID &&
           result.fault == ARENAPLAN_FAULT_OPTION;
}

static void *no_memory(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return NULL;
}

static void options(void)
{
    const struct arenaplan_options defaults = ARENAPLAN_OPTIONS;
    struct arenaplan_options wrong[5] = {defaults, defaults, defaults, defaults, defaults};
    struct arenaplan_problem none = ARENAPLAN_PROBLEM(NULL, 0);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    bool good = true;

    wrong[0].capacity = -1;
    wrong[1].seconds = -1.0;
    wrong[2].seconds = NAN;
    wrong[3].work = -1;
    wrong[4].allocator.allocate = no_memory;
    for (size_t i = 0; i < 5; i++)
        good = option_refused(wrong[i]) && good;
    ok(good && arenaplan_fits(&none, -1, NULL, NULL, &result) == ARENAPLAN_INVALID &&
           result.fault == ARENAPLAN_FAULT_OPTION,
       "options that are wrong");
    ok(arenaplan_plan(&none, NULL, NULL, &result) == ARENAPLAN_OPTIMAL && result.peak == 0 &&
           arenaplan_prove(&none, NULL, NULL, &result) == ARENAPLAN_OPTIMAL &&
           arenaplan_fits(&none, 0, NULL, NULL, &result) <= ARENAPLAN_FEASIBLE &&
           arenaplan_check(&none, NULL, NULL, &result) == ARENAPLAN_FEASIBLE,
       "no buffers are a problem with a plan");
}

/* --- plans that are wrong --- */

static void plans(void)
{
    struct arenaplan_buffer buffer[] = {
        {.begin = 0, .end = 2, .size = 8, .alignment = 4},
        {.begin = 1, .end = 3, .size = 8},
        {.begin = 0, .end = 9, .size = 1, .flags = ARENAPLAN_FIXED, .offset = 20},
        {.begin = 2, .end = 3, .size = 0, .alignment = 4}};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 4);
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    static const struct {
        int64_t offset[4];
        enum arenaplan_fault fault;
        size_t buffer, other;
    } plan[] = {
        {{0, 8, 20, 0}, ARENAPLAN_FAULT_NONE, SIZE_MAX, SIZE_MAX},
        {{0, 7, 20, 0}, ARENAPLAN_FAULT_OVERLAP, 1, 0},
        {{0, 13, 20, 0}, ARENAPLAN_FAULT_OVERLAP, 2, 1},
        {{-4, 8, 20, 0}, ARENAPLAN_FAULT_OFFSET, 0, SIZE_MAX},
        {{0, 8, 21, 0}, ARENAPLAN_FAULT_OFFSET, 2, SIZE_MAX},
        {{2, 10, 20, 0}, ARENAPLAN_FAULT_ALIGNMENT, 0, SIZE_MAX},
        {{0, 8, 20, 2}, ARENAPLAN_FAULT_ALIGNMENT, 3, SIZE_MAX},
        {{0, 24, 20, 0}, ARENAPLAN_FAULT_CAPACITY, 1, SIZE_MAX},
        {{0, INT64_MAX - 7, 20, 0}, ARENAPLAN_FAULT_OVERFLOW, 1, SIZE_MAX},
    };

    options.capacity = 30;
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        enum arenaplan_status status = arenaplan_check(&problem, &options, plan[i].offset, &result);
        bool right = plan[i].fault == ARENAPLAN_FAULT_NONE
                         ? status == ARENAPLAN_FEASIBLE && result.peak == 21
                         : status == ARENAPLAN_INVALID && result.peak == 0;

        ok(right && result.fault == plan[i].fault && result.buffer == plan[i].buffer &&
               result.other == plan[i].other,
           "of a plan: %s", arenaplan_fault_text(plan[i].fault));
    }
}

static void texts(void)
{
    bool good = true;

    for (int status = ARENAPLAN_OPTIMAL; status <= ARENAPLAN_NO_MEMORY; status++)
        good = good && strcmp(arenaplan_status_text((enum arenaplan_status)status), "unknown") != 0;
    for (int fault = 0; fault <= ARENAPLAN_FAULT_ACCESS; fault++)
        good = good && strcmp(arenaplan_fault_text((enum arenaplan_fault)fault), "unknown") != 0;
    ok(good, "each status and fault has a text");
    is_text(arenaplan_status_text((enum arenaplan_status)99), "unknown", "others are unknown");
    is_text(arenaplan_status_text((enum arenaplan_status)0), "unknown", "no status is 0");
    is_text(arenaplan_fault_text((enum arenaplan_fault) - 1), "unknown", "others are unknown");
    is_text(arenaplan_version_text(), "1.1.0", "a version");
    is_text(arenaplan_statistic_name(sizeof(struct arenaplan_statistics) / sizeof(int64_t) - 1),
            "pair_nogoods", "the last statistic has a name");
    ok(arenaplan_statistic_name(sizeof(struct arenaplan_statistics) / sizeof(int64_t)) == NULL,
       "and none is behind it");
    is_int(arenaplan_version(), 10100, "as a number");
}

int main(void)
{
    problems();
    two_fixed();
    structs();
    longer_options();
    options();
    plans();
    texts();
    return tap_done();
}
