#pragma once
// The tools of the table without a flow around them.
#include "agent/flow/parts/offered_tools.hpp"
#include "tests/support/loop.hpp"

#include <variant>

namespace postrider::tests {

inline agent::flow::offered_tools offered_table() {
    agent::flow::offered_tools all;
    for (auto const* tool : agent::tools()) all.add(agent::flow::offer(*tool)).value();
    return all;
}

// Runs a call once, as its step would.
class tool_bench {
public:
    explicit tool_bench(base::clock& clock) : clock_(clock) {}

    base::result<agent::tool_output> run(agent::tool_call const& call) {
        auto checked = tools_.check(call);
        if (!checked) return checked.error();
        auto const& tool = *checked->tool;
        agent::tool_context context({{}, job_, clock_, tool.settings, "key", nullptr});
        auto const& work = std::get<agent::flow::tool_function>(tool.work);
        return loop_.run(work(context, std::move(checked->arguments)));
    }

private:
    loop loop_;
    base::clock& clock_;
    queue::job job_;
    agent::flow::offered_tools tools_ = offered_table();
};

} // namespace postrider::tests
