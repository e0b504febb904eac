#pragma once
// Small job functions and steps that the engine's tests are made of.
#include "tests/integration/queue/world.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace postrider::tests {

inline base::awaitable<queue::step_value> give(boost::json::value value) {
    co_return value;
}

inline base::awaitable<queue::step_value> refuse(std::string why) {
    co_return base::error(base::errc::refused, std::move(why));
}

// What happened, in order, as the job functions tell it.
using diary = std::vector<std::string>;

inline base::awaitable<queue::step_value> write_into(diary& book, std::string line) {
    book.push_back(line);
    co_return boost::json::value(line);
}

// A step that notes its name in the diary; the job functions' plain work.
inline base::awaitable<queue::step_value> step(
    queue::workflow& flow, diary& book, std::string name
) {
    auto work = [&book, name] { return write_into(book, name); };
    co_return co_await flow.run(name, {}, work);
}

// A step that waits until it is let go, or for ever.
struct latch {
    explicit latch(loop& io) : opened(io.executor()) {}

    base::signal opened;
    bool open = false;
    int arrived = 0;
    int inside = 0;
    int most_inside = 0;

    void let_go() {
        open = true;
        opened.notify();
    }
};

inline base::awaitable<queue::step_value> pass_through(
    latch& door, boost::json::value value = "passed"
) {
    ++door.arrived;
    door.most_inside = std::max(door.most_inside, ++door.inside);
    struct leaving {
        int& inside;
        ~leaving() { --inside; }
    } const on_exit{door.inside};
    while (!door.open) co_await door.opened.wait();
    co_await base::sleep_for(std::chrono::microseconds{1}); // lets others in, if anything does
    co_return value;
}

} // namespace postrider::tests
