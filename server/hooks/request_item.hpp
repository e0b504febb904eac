#pragma once
// What a webhook's flow sees of a request: {"method", "path", "query", "headers", "body"}. Pure.
//
// Names of headers are in small letters, several of one name are joined by commas. What the sender
// proved itself with stays outside: the header of the secret, Authorization and cookies, and so do
// headers that are no UTF-8. Of a query parameter that comes twice the first counts. The body is
// JSON where its Content-Type says so, else text; null when it is empty.
#include "base/error.hpp"
#include "net/http.hpp"

#include <boost/json/object.hpp>

#include <string_view>

namespace postrider::hooks {

// invalid: a body that is not what its type says, a query that cannot be decoded, bytes that are no
// UTF-8.
base::result<boost::json::object> item_of(
    net::http_request const& request, std::string_view path, std::string_view secret_header
);

// "a=1&b=2", as queries and forms have it: texts by name. invalid: it cannot be decoded.
base::result<boost::json::object> fields_of(std::string_view encoded);

} // namespace postrider::hooks
