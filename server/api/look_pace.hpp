#pragma once
// When a watcher of an execution looks at its record again. Pure.
//
// A look reads only the rows that are new, but the database finds them among all of the job's: an
// index by time would cost every step of every turn. And what the rows mean is found by walking the
// graph from its beginning (agent/flow/watch/retrace.hpp): what nodes that only compute made of
// earlier steps stands in no row, and a walk that was kept where the record ended would hold a
// coroutine, its record and all items of every watched execution in memory, and would have to begin
// anew after every restart, edit and loop. So a look costs what the execution has done so far. The
// pace bounds its share of the time: a tenth, until that would leave a watcher without news.
#include "base/clock.hpp"

#include <algorithm>

namespace postrider::api {

class look_pace {
public:
    // Between two looks: when this process hears of progress, and when it hears nothing.
    static constexpr base::duration shortest = std::chrono::milliseconds{100};
    static constexpr base::duration longest = std::chrono::milliseconds{500};
    // Where looks take longest.
    static constexpr base::duration most = std::chrono::seconds{5};
    static constexpr int rest = 10; // times the look
    // Before the next look, where one failed.
    static constexpr base::duration after_failure = std::chrono::seconds{1};

    // The time that a look took which found something new.
    void looked(base::duration took) noexcept { look_ = took; }
    // After the last look.
    base::duration pause(bool progress) const noexcept {
        return std::max(progress ? shortest : longest, std::min(most, look_ * rest));
    }

private:
    base::duration look_{0};
};

} // namespace postrider::api
