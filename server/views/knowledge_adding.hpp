#pragma once
// What may be added to collections, as the API and the command line take it. Pure.
#include "agent/knowledge/collection.hpp"
#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace postrider::server {

// Each says what is wrong with it, or "".
std::string problem_of_collection_name(std::string_view name);
std::string problem_of_document_name(std::string_view name);
std::string problem_of_address(std::string_view url);
std::string problem_of_metadata(boost::json::object const& metadata);

// {"flows": ["support"], "people": "owners"}, each of which may be absent. invalid: what is wrong.
base::result<agent::knowledge::collection_access> access_from(boost::json::value const& value);

} // namespace postrider::server
