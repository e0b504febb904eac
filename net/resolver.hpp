#pragma once
// Names to addresses with a deadline that holds: getaddrinfo cannot be interrupted, so a late
// lookup is left to end on its own and its result is dropped. Lookups of the same name share one.
// On the executor's one thread.
#include "base/async.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace postrider::net {

using endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

class resolver {
public:
    explicit resolver(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    // unavailable: no such name; timeout. A literal address comes back as it is.
    base::awaitable<base::result<endpoints>> resolve(
        std::string host, std::string port, base::steady_time deadline
    );

private:
    struct lookup;
    std::shared_ptr<lookup> join_lookup(std::string const& host, std::string const& port);

    boost::asio::any_io_executor executor_;
    std::map<std::string, std::weak_ptr<lookup>> running_;
};

} // namespace postrider::net
