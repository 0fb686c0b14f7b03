/* SPDX-License-Identifier: Apache-2.0 */
/* libarenaplan for C++17: offsets for buffers with known sizes and lifetimes in one arena, or in
 * several memories.
 *
 *     std::vector<arenaplan::buffer> buffers{{0, 3, 64}, {1, 4, 128, 64}};
 *     arenaplan::options options;
 *     options.seconds = 0.01;
 *     if (auto plan = arenaplan::plan(buffers, options))
 *         use(plan.offsets, plan.peak);
 *
 * What does not make sense (arenaplan::invalid_problem) and lack of memory (std::bad_alloc) are
 * exceptions; that there is no plan, or not in time, is an answer.  Functions that are called
 * meanwhile may throw: that ends the call, and goes on to who made it.  All else is as in
 * arenaplan.h.  */
#ifndef ARENAPLAN_HPP
#define ARENAPLAN_HPP

#include <arenaplan.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace arenaplan
{

/* Bytes [offset + low, offset + high) of a buffer, in use during [begin, end).  */
using piece = ::arenaplan_piece;

/* Alive from step `begin` until just before `end`; with `offset` it lies there; with `pieces` it is
 * these.  */
struct buffer {
    std::int64_t begin = 0, end = 0, size = 0, alignment = 1;
    std::optional<std::int64_t> offset = std::nullopt;
    std::uint64_t key = 0;
    std::vector<piece> pieces = {};
};

/* As arenaplan_options has them; 0 is the default.  */
struct options {
    std::int64_t capacity = 0;
    double seconds = 0;
    std::int64_t work = 0;
    std::size_t memory = 0;
    std::uint32_t seed = 0;
    std::function<void(const std::int64_t *offset, std::size_t count, std::int64_t peak)> better;
    std::function<void(std::int64_t lower_bound)> bound;
    std::function<bool()> stop;
};

struct result {
    ::arenaplan_status status = ARENAPLAN_INTERRUPTED;
    std::vector<std::int64_t> offsets; /* empty where there is no plan */
    std::int64_t peak = 0, lower_bound = 0, work = 0;
    double seconds = 0;
    std::size_t memory = 0;
    ::arenaplan_statistics statistics = {};

    /* Whether there is a plan.  */
    explicit operator bool() const
    {
        return status <= ARENAPLAN_FEASIBLE;
    }
};

/* The problem, the plan or the options are wrong.  */
class invalid_problem : public std::invalid_argument
{
  public:
    explicit invalid_problem(const ::arenaplan_result &its)
        : std::invalid_argument(text(its)), fault(its.fault), buffer(its.buffer), other(its.other)
    {
    }

    ::arenaplan_fault fault;
    std::size_t buffer, other; /* by their indices; SIZE_MAX: none */

  private:
    static std::string text(const ::arenaplan_result &its)
    {
        std::string what = ::arenaplan_fault_text(its.fault);

        if (its.fault == ARENAPLAN_FAULT_MEMORY)
            return its.other == SIZE_MAX ? what
                                         : "memory " + std::to_string(its.other) + ": " + what;
        if (its.other != SIZE_MAX)
            what += " (the other: " + std::to_string(its.other) + ")";
        return its.buffer == SIZE_MAX ? what : "buffer " + std::to_string(its.buffer) + ": " + what;
    }
};

namespace detail
{

/* What one call needs as C has it.  */
class call
{
  public:
    call(const std::vector<buffer> &buffers, const options &chosen)
        : chosen_(chosen), offset_(buffers.size())
    {
        buffer_.reserve(buffers.size());
        for (const buffer &b : buffers) {
            ::arenaplan_buffer one = {};

            one.begin = b.begin;
            one.end = b.end;
            one.size = b.size;
            one.alignment = b.alignment;
            one.offset = b.offset.value_or(0);
            one.flags = b.offset ? ARENAPLAN_FIXED : 0;
            one.key = b.key;
            one.piece = b.pieces.empty() ? nullptr : b.pieces.data();
            one.pieces = b.pieces.size();
            buffer_.push_back(one);
        }
        problem.buffer = buffer_.data();
        problem.count = buffer_.size();
        set_options();
    }
    call(const call &) = delete;
    call &operator=(const call &) = delete;

    std::int64_t *offset()
    {
        return offset_.data();
    }

    /* What went wrong, if anything did.  */
    void check()
    {
        if (thrown_)
            std::rethrow_exception(thrown_);
        if (its.status == ARENAPLAN_INVALID)
            throw invalid_problem(its);
        if (its.status == ARENAPLAN_NO_MEMORY)
            throw std::bad_alloc();
    }

    std::vector<std::int64_t> take_offsets()
    {
        return std::move(offset_);
    }

    result answer()
    {
        result found;

        check();
        found.status = its.status;
        if (found)
            found.offsets = std::move(offset_);
        found.peak = its.peak;
        found.lower_bound = its.lower_bound;
        found.work = its.work;
        found.seconds = its.seconds;
        found.memory = its.memory;
        found.statistics = its.statistics;
        return found;
    }

    ::arenaplan_problem problem = ARENAPLAN_PROBLEM(nullptr, 0);
    ::arenaplan_options options_c = ARENAPLAN_OPTIONS;
    ::arenaplan_result its = ARENAPLAN_RESULT;

  private:
    void set_options()
    {
        options_c.capacity = chosen_.capacity;
        options_c.seconds = chosen_.seconds;
        options_c.work = chosen_.work;
        options_c.memory = chosen_.memory;
        options_c.seed = chosen_.seed;
        options_c.context = this;
        if (chosen_.better)
            options_c.better = [](void *context, const std::int64_t *offset, std::size_t count,
                                  std::int64_t peak) {
                call &self = *static_cast<call *>(context);
                self.guarded([&] { self.chosen_.better(offset, count, peak); });
            };
        if (chosen_.bound)
            options_c.bound = [](void *context, std::int64_t lower_bound) {
                call &self = *static_cast<call *>(context);
                self.guarded([&] { self.chosen_.bound(lower_bound); });
            };
        if (chosen_.stop || chosen_.better || chosen_.bound)
            options_c.stop = [](void *context) {
                call &self = *static_cast<call *>(context);
                bool ends = false;
                if (self.chosen_.stop)
                    self.guarded([&] { ends = self.chosen_.stop(); });
                return ends || self.thrown_ != nullptr;
            };
    }

    /* No exception can pass through C: it is kept, and ends the call.  */
    template <class Function> void guarded(const Function &function)
    {
        if (thrown_)
            return;
        try {
            function();
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }

    const options &chosen_;
    std::vector<::arenaplan_buffer> buffer_;
    std::vector<std::int64_t> offset_;
    std::exception_ptr thrown_;
};

} // namespace detail

/* The best plan within the limits: at once a greedy one, then what the search finds.  */
inline result plan(const std::vector<buffer> &buffers, const options &chosen = {})
{
    detail::call call(buffers, chosen);

    ::arenaplan_plan(&call.problem, &call.options_c, call.offset(), &call.its);
    return call.answer();
}

/* The optimum, or what the limits allow.  */
inline result prove(const std::vector<buffer> &buffers, const options &chosen = {})
{
    detail::call call(buffers, chosen);

    ::arenaplan_prove(&call.problem, &call.options_c, call.offset(), &call.its);
    return call.answer();
}

/* Whether there is a plan within CAPACITY bytes.  */
inline result fits(const std::vector<buffer> &buffers, std::int64_t capacity,
                   const options &chosen = {})
{
    detail::call call(buffers, chosen);

    ::arenaplan_fits(&call.problem, capacity, &call.options_c, call.offset(), &call.its);
    return call.answer();
}

/* The peak of a plan, within options.capacity if there is one; throws what is wrong with it.  */
inline std::int64_t check(const std::vector<buffer> &buffers,
                          const std::vector<std::int64_t> &offsets, const options &chosen = {})
{
    detail::call call(buffers, chosen);

    if (offsets.size() != buffers.size())
        throw std::invalid_argument("as many offsets as buffers are expected");
    ::arenaplan_check(&call.problem, &call.options_c, offsets.data(), &call.its);
    return call.answer().peak;
}

/* A memory: a byte that is read or written there costs so much, in any unit.  */
struct memory {
    std::int64_t capacity = ARENAPLAN_UNLIMITED;
    std::int64_t read = 0, write = 0, alignment = 1;
};

/* Bytes of a buffer that are read and written over its life, and the memories that it may lie in,
 * by their indices; empty: all.  */
struct access {
    std::int64_t reads = 0, writes = 0;
    std::vector<std::size_t> memories = {};
};

struct assignment {
    ::arenaplan_status status = ARENAPLAN_INTERRUPTED;
    std::vector<std::size_t> memories; /* of each buffer; empty where there is no assignment */
    std::vector<std::int64_t> offsets;
    std::int64_t cost = 0, lower_bound = 0, work = 0;
    std::size_t buffer = SIZE_MAX; /* too large for all its memories */
    double seconds = 0;
    std::size_t memory = 0;

    /* Whether there is an assignment.  */
    explicit operator bool() const
    {
        return status <= ARENAPLAN_FEASIBLE;
    }
};

namespace detail
{

inline ::arenaplan_access access_of(const access &given)
{
    ::arenaplan_access one = {given.reads, given.writes, 0};

    for (std::size_t m : given.memories) {
        if (m >= ARENAPLAN_MOST_MEMORIES)
            throw std::invalid_argument("a buffer may lie in a memory that there is not");
        one.memories |= std::uint64_t{1} << m;
    }
    return one;
}

} // namespace detail

/* A memory and an offset for each buffer, at a low cost.  ACCESSES is of each buffer, or empty:
 * each is written once and read once, and lies anywhere.  */
inline assignment assign(const std::vector<buffer> &buffers, const std::vector<memory> &memories,
                         const std::vector<access> &accesses = {}, const options &chosen = {})
{
    detail::call call(buffers, chosen);
    std::vector<::arenaplan_memory> all;
    std::vector<::arenaplan_access> accessed;
    std::vector<std::size_t> lies(buffers.size());
    ::arenaplan_assignment its = ARENAPLAN_ASSIGNMENT;
    assignment found;

    if (!accesses.empty() && accesses.size() != buffers.size())
        throw std::invalid_argument("as many accesses as buffers are expected");
    for (const memory &m : memories)
        all.push_back({m.capacity, m.alignment, m.read, m.write});
    for (const access &a : accesses)
        accessed.push_back(detail::access_of(a));
    ::arenaplan_memories of =
        ARENAPLAN_MEMORIES(all.data(), all.size(), accesses.empty() ? nullptr : accessed.data());
    ::arenaplan_assign(&call.problem, &of, &call.options_c, lies.data(), call.offset(), &its);
    call.its.status = its.status;
    call.its.fault = its.fault;
    call.its.buffer = its.buffer;
    call.its.other = its.other;
    call.check();
    found.status = its.status;
    if (found) {
        found.memories = std::move(lies);
        found.offsets = call.take_offsets();
    }
    found.cost = its.cost;
    found.lower_bound = its.lower_bound;
    found.work = its.work;
    found.buffer = its.buffer;
    found.seconds = its.seconds;
    found.memory = its.memory;
    return found;
}

/* Keeps the last plan: the next one begins with it where buffers are the same by `key`.  */
class session
{
  public:
    session() : its_(::arenaplan_session_new(nullptr))
    {
        if (!its_)
            throw std::bad_alloc();
    }

    result plan(const std::vector<buffer> &buffers, const options &chosen = {})
    {
        detail::call call(buffers, chosen);

        ::arenaplan_plan_again(its_.get(), &call.problem, &call.options_c, call.offset(),
                               &call.its);
        return call.answer();
    }

  private:
    struct free_session {
        void operator()(::arenaplan_session *its) const
        {
            ::arenaplan_session_free(its);
        }
    };
    std::unique_ptr<::arenaplan_session, free_session> its_;
};

} // namespace arenaplan

#endif
