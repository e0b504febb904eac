#pragma once
// Slots of a node that has no room: whatever arrives waits to be claimed.
#include "agent/flow/start/execution_slots.hpp"

#include <functional>

namespace postrider::tests {

class roomless_slots final : public agent::flow::execution_slots {
public:
    explicit roomless_slots(std::function<void()> on_job = [] {}) : on_job_(std::move(on_job)) {}

    std::optional<node_id> try_reserve() override { return std::nullopt; }
    void start(queue::enqueued const&, queue::job) override {}
    void release() override {}
    void job_waits() override { on_job_(); }
    void turn_interrupted() override {}

private:
    std::function<void()> on_job_;
};

} // namespace postrider::tests
