#pragma once
// How the parameters of a request become its query and its body. Pure. Every error is invalid, in
// words for the flow's author.
#include "agent/flow/parts/item_file.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// "a=1&b=2": texts, numbers and flags; a list repeats its name, null leaves it out.
base::result<std::string> encoded_form(boost::json::object const& fields);

// The URL with that behind its own query, in front of a fragment.
std::string with_query(std::string url, std::string_view encoded);

struct request_body {
    std::string text;
    std::string content_type;
};

// By their ids.
using loaded_files = std::map<std::string, file_content, std::less<>>;
// What a body refers to, and has to be loaded for it.
std::vector<file_reference> files_in(std::string_view format, boost::json::value const& value);
// `format` as http_request.json has it; `boundary_seed` as net/multipart.hpp.
base::result<request_body> encoded_body(
    std::string_view format,
    boost::json::value const& value,
    std::string_view boundary_seed,
    loaded_files const& files = {}
);

} // namespace postrider::agent::flow
