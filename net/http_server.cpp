#include "net/http_server.hpp"

#include "base/log.hpp"
#include "base/random.hpp"
#include "net/listen_socket.hpp"
#include "net/session.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>

#include <set>
#include <unistd.h>

namespace postrider::net {

namespace asio = boost::asio;
using base::awaitable;
using namespace std::chrono_literals;

namespace {

// How long accepting rests when the process or the machine runs out of something.
constexpr auto shortage_pause = 100ms;

class beast_server final : public http_server {
public:
    beast_server(asio::any_io_executor executor, http_server_options options, router routes)
        : executor_(executor),
          context_{
              std::move(options),
              std::move(routes),
              {},
              {},
              request_id_source(base::uint64(base::system_random()))},
          room_(executor),
          tasks_(std::move(executor)) {
        context_.waiting.notify([this] { room_.notify(); });
    }

    ~beast_server() override { remove_unix_socket(); }

    base::result<void> start() override;
    std::string address() const override { return address_; }
    void stop_accepting() override;
    awaitable<void> drain(base::duration limit) override;
    http_server_counts counts() const override;

private:
    awaitable<void> accept_connections();
    awaitable<void> mend_shortage(boost::system::error_code reason, bool again);
    bool full() const { return connections_ >= context_.options.max_connections; }
    awaitable<void> serve(session::socket connected);
    session_peer describe(session::socket const& connected) const;
    void remove_unix_socket();

    asio::any_io_executor executor_;
    session_context context_;
    std::optional<acceptor> acceptor_;
    std::string address_;
    std::string unix_path_;       // while the file is ours
    std::size_t connections_ = 0; // accepted and not closed
    std::set<session*> sessions_;
    base::signal room_; // a connection was closed or may be, or accepting has stopped
    base::task_group tasks_;
};

base::result<void> beast_server::start() {
    auto proxies = trusted_proxies::parse(context_.options.trusted_proxies);
    if (!proxies) return proxies.error();
    context_.proxies = std::move(*proxies);
    auto parsed = parse_listen_address(context_.options.listen);
    if (!parsed) return parsed.error();
    auto opened = open_listen_socket(executor_, *parsed);
    if (!opened) return opened.error();

    acceptor_ = std::move(*opened);
    address_ = to_text(acceptor_->local_endpoint());
    unix_path_ = parsed->unix_path;
    tasks_.spawn("http.accept", accept_connections());
    base::log::info("http.listening", {{"address", address_}});
    return {};
}

void beast_server::stop_accepting() {
    if (context_.stopping) return;
    context_.stopping = true;
    boost::system::error_code ignored;
    if (acceptor_) acceptor_->close(ignored);
    remove_unix_socket();
    room_.notify();
    for (auto each : sessions_) each->stop();
}

awaitable<void> beast_server::drain(base::duration limit) {
    stop_accepting();
    auto const deadline = base::system_clock().steady() + limit;
    while (connections_ > 0) {
        auto const left = deadline - base::system_clock().steady();
        if (left <= 0s) break;
        co_await room_.wait_for(left);
    }
    if (connections_ > 0) base::log::warn("http.closed_hard", {{"connections", connections_}});
    tasks_.cancel();
    co_await tasks_.join();
}

http_server_counts beast_server::counts() const {
    auto counts = context_.counts;
    counts.connections = connections_;
    return counts;
}

awaitable<void> beast_server::accept_connections() {
    bool failing = false;
    while (!context_.stopping) {
        boost::system::error_code ec;
        auto connected =
            co_await acceptor_->async_accept(asio::redirect_error(asio::use_awaitable, ec));
        if (context_.stopping) break;
        if (ec) {
            co_await mend_shortage(ec, std::exchange(failing, true));
            continue;
        }
        failing = false;
        while (full() && !context_.stopping && !context_.waiting.evict_first())
            co_await room_.wait();
        if (context_.stopping) break;
        ++context_.counts.accepted;
        ++connections_;
        tasks_.spawn("http.session", serve(std::move(connected)));
    }
}

// Descriptors or buffers have run out (EMFILE, ENFILE, ENOBUFS, ENOMEM), or the client has left
// already; the backlog waits in the kernel meanwhile.
awaitable<void> beast_server::mend_shortage(boost::system::error_code reason, bool again) {
    // Logged once, not ten times a second.
    if (!again) base::log::warn("http.accept_failed", {{"error", reason.message()}});
    bool const evicted = context_.waiting.evict_first();
    if (again || !evicted) co_await base::sleep_for(shortage_pause);
}

awaitable<void> beast_server::serve(session::socket connected) {
    // Counts as open until the socket is closed, whatever ends the coroutine.
    struct slot {
        beast_server& server;
        ~slot() {
            --server.connections_;
            server.room_.notify();
        }
    } counted{*this};
    boost::system::error_code ignored;
    connected.non_blocking(true, ignored);
    if (address_.starts_with("unix:") == false)
        connected.set_option(asio::ip::tcp::no_delay(true), ignored);

    auto peer = describe(connected);
    session client{context_, std::move(connected), std::move(peer)};
    struct listed {
        std::set<session*>& sessions;
        session* self;
        ~listed() { sessions.erase(self); }
    } registration{sessions_, &client};
    sessions_.insert(&client);
    co_await client.run();
}

session_peer beast_server::describe(session::socket const& connected) const {
    boost::system::error_code ec;
    auto endpoint = connected.remote_endpoint(ec);
    if (ec) return {};
    if (endpoint.protocol().family() == AF_UNIX) return {"unix", context_.proxies.trusts_unix()};
    auto address = unmapped(to_tcp(endpoint).address());
    return {address.to_string(), context_.proxies.trusts(address)};
}

void beast_server::remove_unix_socket() {
    if (!unix_path_.empty()) ::unlink(unix_path_.c_str());
    unix_path_.clear();
}

} // namespace

std::unique_ptr<http_server> make_http_server(
    asio::any_io_executor executor, http_server_options options, router routes
) {
    return std::make_unique<beast_server>(
        std::move(executor), std::move(options), std::move(routes)
    );
}

} // namespace postrider::net
