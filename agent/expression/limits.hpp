#pragma once
// What an expression may cost. Whatever its text and its data, reading and evaluating one ends, and
// within these bounds.
#include <cstddef>

namespace postrider::agent {

struct expression_limits {
    std::size_t length = 4000; // bytes of source
    std::size_t depth = 64;    // nesting of the source, and of the value that comes out
    // One for each operand and operator evaluated, each round of a macro, and each 64 bytes that
    // are looked at or made.
    std::size_t steps = 100'000;
    std::size_t output = 1u << 20; // bytes of any text made, and of the value that comes out
};

namespace expressions {

// Counts a level of nesting for as long as it lives.
class nesting {
public:
    nesting(std::size_t& depth, std::size_t most) : depth_(++depth), most_(most) {}
    ~nesting() { --depth_; }
    nesting(nesting const&) = delete;
    nesting& operator=(nesting const&) = delete;
    bool too_deep() const noexcept { return depth_ > most_; }

private:
    std::size_t& depth_;
    std::size_t most_;
};

} // namespace expressions

} // namespace postrider::agent
