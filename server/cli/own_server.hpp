#pragma once
// The server of a configuration, asked over its HTTP API as the owner.
#include "base/async.hpp"
#include "base/secret.hpp"
#include "net/http_client.hpp"
#include "server/cli/command.hpp"

#include <boost/json/value.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace postrider::cli {

// Of --address or server.listen: a URL without a path or with the API's (/api/v1), host:port, a port of this machine, or
// unix:/path. A server that listens to everything is asked at this machine's own address.
// invalid: it is none of these, or its port is any.
base::result<std::string> origin_of(std::string_view address);

class own_server {
public:
    own_server(net::http_client& http, std::string origin, base::secret token);

    // The answer's object. refused: what a problem says; invalid: it is none of the API's answers;
    // else as the client fails.
    base::awaitable<base::result<boost::json::value>> ask(net::http_call call);
    // Whatever it answers; failures as the client's, with the address.
    base::awaitable<base::result<net::http_answer>> send(net::http_call call);

private:
    net::http_client& http_;
    std::string origin_;
    base::secret token_;
};

// Runs what asks it, and returns its exit code. Without an address it is the configured one. When
// the owner's token is not known here, no server of this configuration has run: 1, with what to do.
int ask_own_server(
    context const& in,
    std::string const& address,
    std::function<base::awaitable<int>(own_server&)> const& work
);

// "postrider: cannot …", and, when the server did not answer, that one has to run; returns 1.
int fail_to_ask(context const& in, std::string_view doing, base::error const& reason);

} // namespace postrider::cli
