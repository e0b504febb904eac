#pragma once
// What the endpoints about flows share: which flow is meant, in which state the client saw it, and
// what a refusal is over HTTP.
#include "agent/flow/library/lifecycle.hpp"
#include "server/api/endpoint.hpp"
#include "server/api/inputs.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::api {

// What they need of the process.
struct flow_services {
    agent::flow::validator validator;
    // What the names of expressions meant at the node in the last of the flow's executions that
    // came to it; see preview.hpp. not_found: none did. Empty: executions are not at hand.
    std::function<base::awaitable<base::result<boost::json::object>>(
        storage::database& db, std::string flow, std::string node
    )>
        last_data = {};
    // Until what is published by now is in force on this node. Empty: it comes by itself.
    std::function<base::awaitable<base::result<void>>()> put_in_force = {};
};

// Bodies that are flows.
inline constexpr std::size_t document_limit = agent::flow::definition_limits{}.bytes;

// The draft's ETag: another one after every change of the draft, and for another flow of that name.
std::string tag_of(storage::flow_row const& flow);

enum class precondition { required, optional };
// Works on the flow that the path names, locked. 404 without it, 412 when If-Match names another
// state of its draft, 428 when it is required and not there.
work on_flow(
    net::http_request const& request,
    precondition tags,
    std::function<net::http_response(storage::transaction&, storage::flow_row const&)> action
);
// The same only to look at it.
work with_flow(
    net::http_request const& request,
    std::function<net::http_response(storage::transaction&, storage::flow_row const&)> action
);

// A problem document with the refusal's code; 422 lists the flow's problems.
net::http_response refused(agent::flow::refusal const& refusal);

// The flow as it is now, with more members, and its ETag.
net::http_response flow_answer(
    storage::transaction& tx, int status, std::string_view name, boost::json::object members = {}
);

// The member `version`: a number, "draft" or "published". Absent and null are nothing.
std::optional<std::string> read_version_name(members& body);

// A document as a value for an answer.
boost::json::value document_value(std::string_view text);

} // namespace postrider::api
