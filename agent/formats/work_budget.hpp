#pragma once
// How much work a page may make, counted in comparisons of some ten nanoseconds. Pure.
#include <algorithm>
#include <cstddef>

namespace postrider::agent::formats {

class work_budget {
public:
    explicit work_budget(std::size_t most) noexcept : left_(most) {}

    // False: there is not enough left, now and for all that follows.
    bool spend(std::size_t amount) noexcept {
        left_ -= std::min(left_, amount);
        return left_ > 0;
    }
    // Of a text that is read from its begin to its end.
    bool spend_on(std::size_t bytes) noexcept { return spend(1 + bytes / bytes_at_once); }
    bool is_over() const noexcept { return left_ == 0; }

private:
    static constexpr std::size_t bytes_at_once = 4;
    std::size_t left_;
};

// For one page, whatever is asked of it. Fifty usual selectors and a page of the largest size need a half.
inline constexpr std::size_t most_page_work = 20'000'000;

} // namespace postrider::agent::formats
