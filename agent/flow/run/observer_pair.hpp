#pragma once
// Two observers of one execution. Both outlive it.
#include "agent/flow/run/observer.hpp"

namespace postrider::agent::flow {

class observer_pair final : public observer {
public:
    observer_pair(observer& first, observer& second) : first_(first), second_(second) {}

    void began() override {
        first_.began();
        second_.began();
    }
    void node_started(node const& node, items const& input) override {
        first_.node_started(node, input);
        second_.node_started(node, input);
    }
    void connection_used(connection const& used, std::size_t count) override {
        first_.connection_used(used, count);
        second_.connection_used(used, count);
    }
    void node_finished(
        node const& node,
        outputs const& output,
        base::error const* failure,
        boost::json::object const& metadata
    ) override {
        first_.node_finished(node, output, failure, metadata);
        second_.node_finished(node, output, failure, metadata);
    }
    bool is_watched() const override { return first_.is_watched() || second_.is_watched(); }
    stop_wish* stop() override { return first_.stop() ? first_.stop() : second_.stop(); }
    void node_reported(node const& node, std::string_view event, boost::json::object detail)
        override {
        first_.node_reported(node, event, detail);
        second_.node_reported(node, event, std::move(detail));
    }

private:
    observer& first_;
    observer& second_;
};

} // namespace postrider::agent::flow
