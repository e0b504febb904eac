#pragma once
// Names to addresses with a deadline that holds: a look-up cannot be interrupted, so a late one is
// left to end on its own, on one of eight threads. A name that hangs takes one of them; only where
// eight hang at the same time do other names wait.
//
// Calls for one name share one look-up; addresses are known for some seconds afterwards, failures
// are not. On the executor's one thread; look-ups that are still running outlive the resolver.
#include "base/async.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace postrider::net {

using endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

// Blocks. Called on a thread of its own, and on several at once. The port is a number.
using name_lookup =
    std::function<base::result<endpoints>(std::string const& host, std::string const& port)>;

// As the operating system is configured. unavailable: no such name.
base::result<endpoints> look_up_by_system(std::string const& host, std::string const& port);

class resolver {
public:
    explicit resolver(
        boost::asio::any_io_executor executor, name_lookup look_up = look_up_by_system
    );
    ~resolver();
    resolver(resolver const&) = delete;
    resolver& operator=(resolver const&) = delete;

    // The look-up's own failure; timeout; unavailable: too many names are being looked up. A
    // literal address comes back as it is.
    base::awaitable<base::result<endpoints>> resolve(
        std::string host, std::string port, base::steady_time deadline
    );

private:
    struct answer;
    class threads;
    base::result<std::shared_ptr<answer>> find(std::string const& host, std::string const& port);

    boost::asio::any_io_executor executor_;
    std::shared_ptr<threads> threads_;
    std::map<std::string, std::shared_ptr<answer>> answers_; // by host and port
};

} // namespace postrider::net
