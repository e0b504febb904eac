#pragma once
// What the commands of collections share.
#include "agent/knowledge/collections.hpp"
#include "agent/knowledge/documents.hpp"
#include "server/cli/command.hpp"
#include "server/cli/parser/option_parser.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace postrider::cli {

// Lets only names of collections pass.
value_check collection_name();
// "K=V" of each; what reads as a number, true or false is one.
base::result<boost::json::object> metadata_from(std::vector<std::string> const& pairs);

// That there is none of the name; returns 1.
int no_collection(context const& in, std::string_view name);

// For people: "reading 12/40", "ready", "failed: It is encrypted."
std::string state_text(agent::knowledge::stored_document const& document);

} // namespace postrider::cli
