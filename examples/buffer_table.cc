/* SPDX-License-Identifier: Apache-2.0 */
/* A planner object for a compiler: buffers are noted while code is generated, then they have
 * offsets.  A change and a second plan begin with the first one.  */
#include <arenaplan.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace
{

/* What a code generator knows of its buffers.  Each is a number, in the order of `add`.  */
class buffer_table
{
  public:
    explicit buffer_table(std::int64_t alignment) : alignment_(alignment)
    {
    }

    /* A buffer that instruction DEFINED writes and none has read yet.  */
    std::size_t add(std::int64_t bytes, std::int64_t defined)
    {
        arenaplan::buffer its{defined, defined + 1, bytes, alignment_};

        its.key = buffers_.size() + 1;
        buffers_.push_back(its);
        return buffers_.size() - 1;
    }

    /* Somebody else has put it there: the program's input, a device's window.  */
    void pin(std::size_t buffer, std::int64_t offset)
    {
        buffers_[buffer].offset = offset;
    }

    void read(std::size_t buffer, std::int64_t instruction)
    {
        buffers_[buffer].end = std::max(buffers_[buffer].end, instruction + 1);
    }

    /* Plans all; false: there is no plan within CAPACITY bytes.  */
    bool plan(std::int64_t capacity)
    {
        arenaplan::options options;

        options.capacity = capacity;
        options.work = 100000;
        result_ = session_.plan(buffers_, options);
        return result_ && result_.peak <= capacity;
    }

    std::int64_t offset(std::size_t buffer) const
    {
        return result_.offsets[buffer];
    }
    std::int64_t bytes() const
    {
        return result_.peak;
    }

    /* Throws where two buffers that are alive together overlap.  */
    void verify() const
    {
        arenaplan::check(buffers_, result_.offsets);
    }

  private:
    std::int64_t alignment_;
    std::vector<arenaplan::buffer> buffers_;
    arenaplan::session session_;
    arenaplan::result result_;
};

} // namespace

int main()
{
    buffer_table table(16);
    std::size_t input = table.add(256, 0), conv = table.add(512, 1), skip = table.add(128, 2),
                sum = table.add(512, 3), output = table.add(64, 4);

    table.read(input, 2);
    table.read(conv, 3);
    table.read(skip, 3);
    table.read(sum, 4);
    if (!table.plan(4096))
        return EXIT_FAILURE;
    table.verify();
    std::printf("%lld bytes\n", static_cast<long long>(table.bytes()));
    for (std::size_t b : {input, conv, skip, sum, output})
        std::printf("buffer %zu at %lld\n", b, static_cast<long long>(table.offset(b)));

    /* A later pass has the skip connection read once more. */
    table.read(skip, 4);
    if (!table.plan(4096))
        return EXIT_FAILURE;
    table.verify();
    std::printf("%lld bytes after the change\n", static_cast<long long>(table.bytes()));
    return EXIT_SUCCESS;
}
