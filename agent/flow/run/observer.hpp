#pragma once
// Who follows an execution, whether it runs or is run over again.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/node_run.hpp"
#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <string_view>

namespace postrider::agent::flow {

// Told in the order in which things happen, on the executor's thread. A graph that is begun anew,
// or a job that is run again, tells everything again.
class observer {
public:
    virtual ~observer() = default;
    virtual void began() {}
    virtual void node_started(node const& /*node*/, items const& /*input*/) {}
    virtual void connection_used(connection const& /*connection*/, std::size_t /*items*/) {}
    // The failure is null when the node succeeded; a failure that is carried on has outputs too.
    virtual void node_finished(
        node const& /*node*/,
        outputs const& /*output*/,
        base::error const* /*failure*/,
        boost::json::object const& /*metadata*/
    ) {}
    // Somebody sees what is reported from now on: what costs something is only asked for then.
    virtual bool is_watched() const { return false; }
    // By which somebody who sees it can stop it; null: nobody can.
    virtual stop_wish* stop() { return nullptr; }
    // "tool_called" {"tool", "call", "part": the node that offers it}, "model_called" {"model"}, "model_chunk" {"text"}
    // NOLINTBEGIN(performance-unnecessary-value-param): whoever overrides it keeps the detail
    virtual void node_reported(
        node const& /*node*/, std::string_view /*event*/, boost::json::object /*detail*/
    ) {}
    // NOLINTEND(performance-unnecessary-value-param)
};

} // namespace postrider::agent::flow
