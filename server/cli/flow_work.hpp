#pragma once
// What the commands about flows share: the flow that is meant, what is printed, what a refusal is.
#include "agent/flow/library/lifecycle.hpp"
#include "server/cli/migrated.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace postrider::cli {

inline constexpr char const* application = "postrider flows";
inline constexpr std::string_view publisher = "cli";

// The catalog outlives it.
agent::flow::judge judge_of(context const& in, agent::flow::catalog const& types);

// What a command gives: data for out, as JSON or as text, and what is said about it.
struct report {
    boost::json::object json;
    std::string text;
    std::string said = {};
};

using outcome_work = std::function<agent::flow::allowed<report>(storage::transaction&)>;
using flow_work =
    std::function<agent::flow::allowed<report>(storage::transaction&, storage::flow_row const&)>;

// Prints what the work gives, or why it was refused; the exit code.
int with_outcome(context const& in, std::string_view doing, outcome_work work);
// The same with the flow that is named, locked; 1 when there is none.
int on_flow(context const& in, std::string_view doing, flow_work work);

} // namespace postrider::cli
