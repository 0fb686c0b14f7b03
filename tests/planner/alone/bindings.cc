/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The binding for C++: run by cpp.sh, speaks TAP.  */
#include <config.h>

#include <arenaplan.hpp>

#include <cstdio>
#include <cstring>

namespace
{

int tests, failures;

void ok(bool holds, const char *text)
{
    failures += !holds;
    std::printf("%s %d - %s\n", holds ? "ok" : "not ok", ++tests, text);
}

std::vector<arenaplan::buffer> drawn(unsigned seed)
{
    std::vector<arenaplan::buffer> buffers;
    std::uint64_t state = seed;
    auto draw = [&](std::int64_t below) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(below));
    };

    for (std::int64_t i = 0, n = 1 + draw(20); i < n; i++) {
        arenaplan::buffer b{draw(10), 0, draw(50), 1 + draw(4)};

        b.end = b.begin + 1 + draw(6);
        b.key = static_cast<std::uint64_t>(i) + 1;
        buffers.push_back(b);
    }
    return buffers;
}

void random_problems()
{
    arenaplan::options options;
    arenaplan::session session;
    int wrong = 0;

    options.work = 1000;
    for (unsigned seed = 1; seed <= 200; seed++) {
        auto buffers = drawn(seed);

        for (const auto &plan :
             {arenaplan::plan(buffers, options), arenaplan::prove(buffers, options),
              session.plan(buffers, options)})
            wrong += !plan || plan.lower_bound > plan.peak ||
                     arenaplan::check(buffers, plan.offsets) != plan.peak;
    }
    ok(wrong == 0, "plans of random problems are valid");
}

void answers()
{
    std::vector<arenaplan::buffer> two{{0, 2, 10}, {1, 3, 10}};
    auto none = arenaplan::fits(two, 19);

    ok(!none && none.status == ARENAPLAN_INFEASIBLE && none.offsets.empty(), "no plan, no offsets");
    ok(arenaplan::fits(two, 20).peak == 20, "a plan within the capacity");
    ok(arenaplan::plan({}).offsets.empty(), "a problem without buffers");
    two[0].offset = 10;
    ok(arenaplan::prove(two).offsets == std::vector<std::int64_t>{10, 0},
       "an offset that somebody else chose");
    two[0] = {0, 4, 8};
    two[0].pieces = {{0, 2, 0, 8}, {2, 4, 0, 2}};
    two[1] = {2, 4, 6};
    ok(arenaplan::prove(two).peak == 8, "pieces leave room above each other");
}

void faults()
{
    try {
        arenaplan::plan({{0, 1, 1}, {3, 3, 1}});
        ok(false, "a fault is thrown");
    } catch (const arenaplan::invalid_problem &error) {
        ok(error.fault == ARENAPLAN_FAULT_LIFETIME && error.buffer == 1 &&
               error.other == SIZE_MAX && std::strncmp(error.what(), "buffer 1: ", 10) == 0,
           "a fault names its buffer");
    }
    try {
        arenaplan::check({{0, 1, 1}}, {0, 0});
        ok(false, "too many offsets are refused");
    } catch (const std::invalid_argument &) {
        ok(true, "too many offsets are refused");
    }
    try {
        arenaplan::options options;

        options.memory = 1000;
        arenaplan::plan(std::vector<arenaplan::buffer>(5000, arenaplan::buffer{0, 1, 1}), options);
        ok(false, "too little memory is thrown");
    } catch (const std::bad_alloc &) {
        ok(true, "too little memory is thrown");
    }
}

void memories()
{
    const std::vector<arenaplan::buffer> two{{0, 2, 8}, {1, 3, 16}};
    std::vector<arenaplan::memory> chip{{16, 1, 1}, {ARENAPLAN_UNLIMITED, 10, 10}};
    auto best = arenaplan::assign(two, chip);

    ok(best && best.status == ARENAPLAN_OPTIMAL && best.cost == 32 + 160 &&
           best.memories == std::vector<std::size_t>{1, 0} && best.offsets.size() == 2,
       "what saves most is in the fast memory");
    best = arenaplan::assign(two, chip, {{8, 8, {}}, {16, 16, {1}}});
    ok(best.cost == 16 + 320 && best.memories[1] == 1, "unless it may not lie there");
    chip[1].capacity = 15;
    best = arenaplan::assign(two, chip, {{8, 8, {}}, {16, 16, {1}}});
    ok(!best && best.status == ARENAPLAN_INFEASIBLE && best.buffer == 1 && best.offsets.empty(),
       "a buffer that fits nowhere is named");
    try {
        chip[1].read = -1;
        arenaplan::assign(two, chip);
        ok(false, "a memory that makes no sense is thrown");
    } catch (const arenaplan::invalid_problem &error) {
        ok(error.fault == ARENAPLAN_FAULT_MEMORY && error.other == 1 &&
               std::strncmp(error.what(), "memory 1: ", 10) == 0,
           "a memory that makes no sense is thrown");
    }
    try {
        arenaplan::assign(two, chip, {{8, 8, {}}});
        ok(false, "too few accesses are refused");
    } catch (const std::invalid_argument &) {
        ok(true, "too few accesses are refused");
    }
}

void callbacks()
{
    auto buffers = drawn(7);
    arenaplan::options options;
    std::int64_t told = -1;

    options.better = [&](const std::int64_t *, std::size_t, std::int64_t peak) { told = peak; };
    ok(arenaplan::plan(buffers, options).peak == told, "the best plan is told");
    options.better = [](const std::int64_t *, std::size_t, std::int64_t) { throw 7; };
    try {
        arenaplan::plan(buffers, options);
        ok(false, "what a function throws comes through");
    } catch (int number) {
        ok(number == 7, "what a function throws comes through");
    }
}

} // namespace

int main()
{
    random_problems();
    answers();
    faults();
    memories();
    callbacks();
    std::printf("1..%d\n", tests);
    return failures > 0;
}
