#pragma once
// When a watcher of an execution looks at its record again. Pure.
//
// A look reads only the rows that are new, but what they mean is found by walking the graph from
// its beginning (agent/flow/watch/retrace.hpp): what nodes that only compute made of earlier steps
// stands in no row, and a walk that was kept where the record ended would hold a coroutine, its
// record and all items of every watched execution in memory, and would have to be begun anew after
// every restart, edit and loop. So a walk costs what the execution has done so far, and it is its
// share of the time that is bounded: a tenth, until that would leave a watcher without news.
#include "base/clock.hpp"

#include <algorithm>

namespace postrider::api {

class look_pace {
public:
    // Between two looks: when this process hears of progress, and when it hears nothing.
    static constexpr base::duration shortest = std::chrono::milliseconds{100};
    static constexpr base::duration longest = std::chrono::milliseconds{500};
    // Of the longest walks.
    static constexpr base::duration most = std::chrono::seconds{5};
    static constexpr int rest = 10; // times the walk

    void walked(base::duration took) noexcept { walk_ = took; }
    // After the last look.
    base::duration pause(bool progress) const noexcept {
        return std::max(progress ? shortest : longest, std::min(most, walk_ * rest));
    }

private:
    base::duration walk_{0};
};

} // namespace postrider::api
