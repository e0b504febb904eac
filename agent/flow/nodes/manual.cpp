#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_manual() {
    return {
        .name = "manual",
        .group = group::trigger,
        .title = "Manual",
        .documentation = R"(
            Starts an execution when a person, the API or another flow requests one. Its item is the
            input of the request. Executions run in parallel unless `settings.lane` says
            otherwise.)"_folded,
        .outputs = {main_output()},
        .parameters = parameters(R"({
            "example": {
                "title": "Example",
                "description": "The input of a start by hand that gives none.",
                "type": "object",
                "default": {},
                "x-expression": false
            }
        })"),
        .behaviour =
            trigger{
                .source = trigger_source::caller,
                .open = [](auto const&) { return call_opening{}; },
            },
    };
}

} // namespace postrider::agent::flow
