#include "net/resolver.hpp"

#include <charconv>

namespace postrider::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using base::errc;
using base::error;

struct resolver::lookup {
    explicit lookup(asio::any_io_executor executor) : work(executor), done(executor) {}

    tcp::resolver work;
    base::signal done;
    bool finished = false;
    boost::system::error_code failure;
    endpoints found;
};

std::shared_ptr<resolver::lookup> resolver::join_lookup(
    std::string const& host, std::string const& port
) {
    auto& slot = running_[host + " " + port];
    if (auto running = slot.lock(); running && !running->finished) return running;
    auto started = std::make_shared<lookup>(executor_);
    slot = started;
    // The handler keeps the lookup alive when nobody waits any more.
    started->work
        .async_resolve(host, port, [started](auto ec, tcp::resolver::results_type results) {
            started->finished = true;
            started->failure = ec;
            for (auto const& each : results) started->found.push_back(each.endpoint());
            started->done.notify();
        });
    return started;
}

base::awaitable<base::result<endpoints>> resolver::resolve(
    std::string host, std::string port, base::steady_time deadline
) {
    boost::system::error_code ec;
    if (auto literal = asio::ip::make_address(host, ec); !ec) {
        std::uint16_t number = 0;
        std::from_chars(port.data(), port.data() + port.size(), number);
        co_return endpoints{{literal, number}};
    }

    auto running = join_lookup(host, port);
    while (!running->finished) {
        auto const left = deadline - base::system_clock().steady();
        if (left <= base::duration::zero())
            co_return error(errc::timeout, "the name was not resolved in time");
        co_await running->done.wait_for(left);
    }
    if (running->failure || running->found.empty())
        co_return error(
            errc::unavailable, "the name does not resolve: " + running->failure.message()
        );
    co_return running->found;
}

} // namespace postrider::net
