// A planner in C++ for arenabench: a template (PROGRAMS.md is the contract).
//
//     g++ -O2 -o first-fit first-fit.cpp
//     arenabench compare resnet50 --solvers 'greedy-by-size,exec:mine=./first-fit'
//
// The largest buffer comes first, each into the lowest gap; then pairs of buffers change places
// in that order as long as it does no harm.  Each better plan is written at once.
//
//     first-fit [ROUNDS]    how often a pair changes places, 1000 times unless a limit
//                           comes first; 0: first fit alone
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Buffer {
    std::string id;
    int64_t lower, upper, size, alignment, offset;
};

// The same numbers for the same seed, in each of the templates.
struct Random {
    uint64_t state;

    size_t below(size_t n)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (state >> 33) % n;
    }
};

static std::vector<std::string> split(const std::string &line)
{
    std::vector<std::string> cells;
    std::istringstream in(line);

    for (std::string cell; std::getline(in, cell, ',');)
        cells.push_back(cell);
    return cells;
}

// The buffers that take up memory, in the order of the rows.
static std::vector<Buffer> read_buffers(std::istream &in)
{
    std::map<std::string, size_t> column;
    std::vector<Buffer> buffers;
    std::string line;

    std::getline(in, line);
    for (const std::string &name : split(line))
        column.emplace(name, column.size());
    while (std::getline(in, line)) {
        std::vector<std::string> cells = split(line);
        auto number = [&](const char *name, int64_t otherwise) {
            auto found = column.find(name);
            return found == column.end() ? otherwise : std::stoll(cells[found->second]);
        };
        Buffer buffer = {cells[column.at("id")], number("lower", 0),     number("upper", 0),
                         number("size", 0),      number("alignment", 1), 0};

        if (buffer.size > 0)
            buffers.push_back(buffer);
    }
    return buffers;
}

// Each buffer in ORDER into the lowest gap; returns the peak.
static int64_t place(std::vector<Buffer> &buffers, const std::vector<size_t> &order)
{
    std::vector<const Buffer *> placed; // by offset
    int64_t peak = 0;

    for (size_t index : order) {
        Buffer &buffer = buffers[index];
        int64_t at = 0;

        for (const Buffer *other : placed) {
            if (other->upper <= buffer.lower || buffer.upper <= other->lower)
                continue;
            if (at + buffer.size <= other->offset)
                break;
            int64_t top = other->offset + other->size + buffer.alignment - 1;
            at = std::max(at, top - top % buffer.alignment);
        }
        buffer.offset = at;
        peak = std::max(peak, at + buffer.size);
        placed.insert(
            std::upper_bound(placed.begin(), placed.end(), at,
                             [](int64_t offset, const Buffer *b) { return offset < b->offset; }),
            &buffer);
    }
    return peak;
}

static void write_plan(const std::vector<Buffer> &buffers)
{
    std::cout << "id,offset\n";
    for (const Buffer &buffer : buffers)
        std::cout << buffer.id << ',' << buffer.offset << '\n';
    std::cout << std::flush;
}

static double from_environment(const char *name, double otherwise)
{
    const char *text = std::getenv(name);

    return text == nullptr ? otherwise : std::atof(text);
}

int main(int argc, char **argv)
{
    const auto start = std::chrono::steady_clock::now();
    const double limit =
        from_environment("ARENABENCH_TIME_LIMIT", std::numeric_limits<double>::infinity());
    double rounds = argc > 1 ? std::atof(argv[1]) : 1000;
    Random random = {static_cast<uint64_t>(from_environment("ARENABENCH_SEED", 1))};
    std::vector<Buffer> buffers = read_buffers(std::cin);
    std::vector<size_t> order(buffers.size());
    int64_t best;

    rounds = std::min(rounds, from_environment("ARENABENCH_WORK_LIMIT", rounds));
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t one, size_t other) {
        const Buffer &a = buffers[one], &b = buffers[other];
        return a.size != b.size ? a.size > b.size : a.upper - a.lower > b.upper - b.lower;
    });
    best = place(buffers, order);
    write_plan(buffers);
    for (double round = 0; round < rounds && order.size() > 1; round++) {
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;

        if (spent.count() > 0.9 * limit)
            break;
        size_t one = random.below(order.size()), other = random.below(order.size());
        std::swap(order[one], order[other]);
        int64_t peak = place(buffers, order);
        if (peak > best) {
            std::swap(order[one], order[other]);
        } else if (peak < best) {
            best = peak;
            write_plan(buffers);
        }
    }
    return 0;
}
