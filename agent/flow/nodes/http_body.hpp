#pragma once
// How the parameters of a request become its query and its body. Pure. Every error is invalid, in
// words for the flow's author.
#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace postrider::agent::flow {

// "a=1&b=2": texts, numbers and flags; a list repeats its name, null leaves it out.
base::result<std::string> encoded_form(boost::json::object const& fields);

// The URL with that behind its own query, in front of a fragment.
std::string with_query(std::string url, std::string_view encoded);

struct request_body {
    std::string text;
    std::string content_type;
};
// `format` as http_request.json has it; `boundary` stands between the parts of a multipart body.
base::result<request_body> encoded_body(
    std::string_view format, boost::json::value const& value, std::string_view boundary
);

} // namespace postrider::agent::flow
