#pragma once
// Lanes that take their mail in their own way, and the turns that answer it.
#include "tests/integration/queue/steps.hpp"

namespace postrider::tests {

inline std::string said(queue::workflow& flow) {
    return std::string(flow.job().input.as_string());
}

// A turn: waits in its first step while the door is closed.
inline base::awaitable<queue::outcome> answer(queue::workflow& flow, diary& book, latch& door) {
    auto const text = said(flow);
    co_await flow.run("model", {}, [&] { return pass_through(door, flow.job().input); });
    co_await step(flow, book, "answer " + text);
    co_return queue::outcome::completed(boost::json::value(text));
}

inline lane_id make_lane(world& w, std::string key, std::string mailbox, int debounce_ms = 0) {
    auto const lane = w.make_lane(key);
    w.execute(
        "update postrider.lane set mailbox = '" + mailbox +
        "', debounce_ms = " + std::to_string(debounce_ms) + " where lane_key = '" + key + "'"
    );
    return lane;
}

} // namespace postrider::tests
