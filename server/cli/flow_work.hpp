#pragma once
// What the commands about flows share: the flow that is meant, what is printed, what a refusal is.
#include "agent/flow/library/lifecycle.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace postrider::cli {

inline constexpr std::string_view publisher = "cli";

// "NAME": the flow that is meant.
struct named_flow {
    std::string name;
};
void declare_flow(option_parser& parser, named_flow& args);

// The catalog outlives it.
agent::flow::validator validator_of(context const& in, agent::flow::catalog const& types);

// What a command gives: data for out, as JSON or as text, and what is said about it.
struct report {
    boost::json::object json;
    std::string text;
    std::string said = {};
};

using outcome_work = std::function<agent::flow::allowed<report>(storage::transaction&)>;
using flow_work =
    std::function<agent::flow::allowed<report>(storage::transaction&, storage::flow_row const&)>;

// How a database is opened: in_database or in_new_database.
using database_access = int(context const&, std::string_view, database_action);

// Prints what the work gives, or why it was refused; the exit code.
int with_outcome(
    context const& in,
    std::string_view doing,
    outcome_work work,
    database_access& access = in_database
);
// The same with the flow that is named, locked; 1 when there is none.
int on_flow(context const& in, std::string const& name, std::string_view doing, flow_work work);

// What was probably meant by a flow's name that is not known, or "".
std::string flow_suggestion(storage::transaction& tx, std::string const& name);

// The flow of that name, locked; not_found, with the name that was probably meant.
agent::flow::allowed<storage::flow_row> find_flow(
    storage::transaction& tx, std::string const& name
);

} // namespace postrider::cli
