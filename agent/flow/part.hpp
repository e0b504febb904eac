#pragma once
// What hangs on a node by a connection that carries no items: an agent's model, its memory, its tools. A
// part may have parts of its own.
//
// A kind of part is one value, `inline constexpr part_kind_of<OFFER> NAME{…}`, in a header of parts/. It says what its
// connections are called and what such a part offers. Types with a port of the kind
// register it: nothing else lists the kinds.
#include "agent/expression/expression.hpp"
#include "agent/flow/document/definition.hpp"
#include "base/async.hpp"
#include "base/error.hpp"
#include "queue/workflow.hpp"

#include <boost/json/object.hpp>

#include <any>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::flow {

class conversation;        // chat/conversation.hpp
struct node_services;      // services.hpp: models, messenger, tools, flows
class budget_reservations; // run/budget_reservations.hpp
class audit_trail;         // run/audit_trail.hpp

struct part_kind {
    std::string_view name;  // of its connections and ports: "ai_model"
    std::string_view group; // under which people find its node types: "model"
    int place = 9;          // of the group among those of parts
};

template<class Offer>
struct part_kind_of : part_kind {};

// What came of a part's node: an offer of its kind.
struct made_part {
    made_part(std::in_place_t, std::any of) : offer(std::move(of)) {} // or an error would be one
    std::any offer;
};

// A part that hangs on a node.
struct connected_part {
    flow::node const* node = nullptr; // of the graph
    // Of the host's node: asks somebody outside for the part (the tools of a server), in
    // steps.try_step() or steps.run().
    std::string step;
    bool is_constant = false; // its parameters hold no expression
    std::size_t at = 0;       // the node's place in the graph
};

// The parts of one node, while one item is worked on. Made anew at every run of it, in the same order: a part
// may take steps. Of a part that has parts, it is gone once that part is made.
class node_parts {
public:
    virtual ~node_parts() = default;

    // In the document's order, without disabled ones.
    virtual std::vector<connected_part> connected(part_kind const& kind) const = 0;

    template<class Offer>
    base::awaitable<base::result<Offer>> make(
        part_kind_of<Offer> const&, connected_part const& part
    ) {
        auto result = co_await make_any(part);
        if (!result) co_return result.error();
        co_return std::any_cast<Offer>(std::move(result->offer));
    }

    // What all parts of the kind came to, where it is the same for every execution; empty until
    // somebody keeps it here.
    virtual std::any& lasting(part_kind const& kind) const = 0;

private:
    virtual base::awaitable<base::result<made_part>> make_any(connected_part const& part) = 0;
};

// From what a part is made; gone afterwards.
struct part_run {
    flow::node const& node;
    boost::json::object const& parameters; // evaluated; what is $from_ai is null
    // What of them the model is to give, and the parameters with what it gave in its k-th call.
    std::vector<from_ai_call> from_ai;
    std::function<base::result<boost::json::object>(boost::json::object const& arguments, int call)>
        evaluate;
    node_services const& services;
    flow::conversation& conversation;
    queue::workflow& steps;                      // of the node that runs
    std::string step;                            // as of connected_part
    node_parts& parts;                           // that hang on it
    std::size_t item = 0;                        // of the node that runs
    budget_reservations* reservations = nullptr; // as node_run has them
    audit_trail* audit = nullptr;
};

// What a node type does that is a part. What comes of parameters alone is not recorded; what somebody
// outside was asked for is recorded by part_run, so that every later run makes the same part.
struct part {
    part_kind const* kind = nullptr; // of its only output, which the catalog adds
    std::function<base::awaitable<base::result<made_part>>(part_run& run)> make;
    std::vector<std::string> from_message = {}; // as of durable (node_type.hpp)
    // With these parameters a call of its tools may have a high risk: a person is asked first; absent: never.
    std::function<bool(boost::json::object const& parameters)> needs_approval = {};
    // It asks conversation::memories(): what that says comes with the history.
    bool looks_for_memories = false;
};

template<class Offer>
using part_maker = std::function<base::awaitable<base::result<Offer>>(part_run& run)>;

template<class Offer>
base::awaitable<base::result<made_part>> made_by(part_maker<Offer> maker, part_run& run) {
    auto offer = co_await maker(run);
    if (!offer) co_return offer.error();
    co_return made_part(std::in_place, std::move(*offer));
}

template<class Offer>
part part_of(part_kind_of<Offer> const& kind, std::type_identity_t<part_maker<Offer>> maker) {
    return {.kind = &kind, .make = [maker = std::move(maker)](part_run& run) {
                return made_by<Offer>(maker, run);
            }};
}

} // namespace postrider::agent::flow
