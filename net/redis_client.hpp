#pragma once
// Asks Redis servers, on the event loop: hiredis writes and reads the protocol, and the bytes go over this
// room's connections, by TLS where it is asked for.
//
// Connections are kept and used again, a few for each server. A server that was not reached is left alone for
// a moment, longer each time up to seconds, so that nobody waits for it meanwhile. Failures:
//   unavailable, timeout  not reached, or gone before the reply: what was asked may have been done
//   unauthorized          the server does not take the password
//   refused               it declines a command, or its address may not be reached
//   conflict              the key has something of another type
//   invalid, too_large    what answered is no Redis
// On the executor's one thread.
#include "base/async.hpp"
#include "base/secret.hpp"
#include "net/redis_protocol.hpp"

#include <memory>
#include <string>
#include <vector>

namespace postrider::net {

struct redis_server {
    std::string host;
    std::string port = "6379";
    int database = 0;
    bool tls = false;
    std::string user = {}; // "" = the password alone
    base::secret password = {};
    bool may_be_private = false; // its address may be of this network
};

class redis_client {
public:
    // `ca_file`: of certificates to be trusted; empty = the system's.
    explicit redis_client(boost::asio::any_io_executor executor, std::string const& ca_file = {});
    ~redis_client();
    redis_client(redis_client const&) = delete;
    redis_client& operator=(redis_client const&) = delete;

    // All of the commands or none of them, with nothing of others in between: a reply for each. The first
    // that fails is the failure, though the others are done.
    base::awaitable<base::result<std::vector<redis_reply>>> ask(
        redis_server server, std::vector<redis_command> commands, base::duration limit
    );
    // Forgets the connections, and asks nobody any more.
    void close() noexcept;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace postrider::net
