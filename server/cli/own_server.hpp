#pragma once
// The server of a configuration, asked over its HTTP API as the owner.
#include "base/async.hpp"
#include "base/secret.hpp"
#include "net/http_client.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace postrider::cli {

// Of an address that is listened to. One that listens to everything is asked where nobody is in
// between. invalid: it is no address, or its port is any.
base::result<std::string> origin_of(std::string_view listen);

// The answer's object. refused: what a problem says; invalid: it is none of the API's answers; else
// as the client fails.
base::awaitable<base::result<boost::json::value>> ask_own_server(
    net::http_client& http, net::http_call call, base::secret token
);

} // namespace postrider::cli
