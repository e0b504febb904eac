#include "net/connection.hpp"

#include "net/watchdog.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <openssl/ssl.h>

#include <sys/socket.h>

namespace postrider::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using base::awaitable;
using base::errc;
using base::error;
using boost::system::error_code;
using local = asio::local::stream_protocol;
using tls_stream = asio::ssl::stream<tcp::socket>;

namespace {

template<class Stream>
class connection_of final : public connection {
public:
    explicit connection_of(Stream stream)
        : stream_(std::move(stream)),
          deadline_(stream_.get_executor(), [this] { close(); }) {}

    void expect_before(base::steady_time deadline) override { deadline_.expect_before(deadline); }
    void rest() override { deadline_.rest(); }
    bool late() const override { return deadline_.expired(); }

    awaitable<std::size_t> read_some(asio::mutable_buffer into, error_code& ec) override {
        auto const read =
            co_await stream_.async_read_some(into, asio::redirect_error(asio::use_awaitable, ec));
        if (ec) co_await let_cancellation_pass();
        co_return read;
    }

    awaitable<std::size_t> write(std::array<asio::const_buffer, 2> bytes, error_code& ec) override {
        auto const written = co_await asio::async_write(
            stream_, bytes, asio::redirect_error(asio::use_awaitable, ec)
        );
        if (ec) co_await let_cancellation_pass();
        co_return written;
    }

    void close() noexcept override {
        error_code ignored;
        stream_.lowest_layer().close(ignored);
    }

    bool quiet() override {
        auto& socket = stream_.lowest_layer();
        if (!socket.is_open()) return false;
        char byte;
        auto const size = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }

    Stream& stream() noexcept { return stream_; }

private:
    Stream stream_;
    watchdog deadline_;
};

error failed_to(std::string_view operation, bool late, error_code ec) {
    if (late) return error(errc::timeout, std::string(operation) + " took too long");
    return error(errc::unavailable, std::string(operation) + " failed: " + ec.message());
}

template<class Protocol>
awaitable<base::result<typename Protocol::socket>> connect_before(
    typename Protocol::endpoint to, base::steady_time deadline
) {
    auto const executor = co_await asio::this_coro::executor;
    typename Protocol::socket socket{executor};
    watchdog limit{executor, [&socket] {
                       error_code ignored;
                       socket.close(ignored);
                   }};
    limit.expect_before(deadline);
    error_code ec;
    co_await socket.async_connect(to, asio::redirect_error(asio::use_awaitable, ec));
    if (!ec) co_return std::move(socket);
    co_await let_cancellation_pass();
    co_return failed_to("the connection", limit.expired(), ec);
}

awaitable<base::result<tcp::socket>> connect_tcp(
    endpoints const& candidates, base::steady_time deadline
) {
    auto failure = error(errc::unavailable, "no address to connect to");
    auto left = static_cast<int>(candidates.size());
    for (auto const& candidate : candidates) {
        auto const now = base::system_clock().steady();
        auto socket = co_await connect_before<tcp>(candidate, now + (deadline - now) / left--);
        if (socket) {
            error_code ignored;
            socket->set_option(tcp::no_delay(true), ignored);
            co_return std::move(*socket);
        }
        failure = socket.error();
    }
    co_return failure;
}

} // namespace

awaitable<void> let_cancellation_pass() {
    auto const state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
}

awaitable<base::result<std::unique_ptr<connection>>> connect(
    tls_trust& trust, origin to, endpoints candidates, base::steady_time deadline
) {
    auto socket = co_await connect_tcp(candidates, deadline);
    if (!socket) co_return socket.error();
    if (!to.tls) {
        co_return std::make_unique<connection_of<tcp::socket>>(std::move(*socket));
    }

    auto* tls = co_await trust.context(deadline);
    if (!tls) co_return error(errc::timeout, "the system's certificates were not read in time");
    auto secure = std::make_unique<connection_of<tls_stream>>(tls_stream{std::move(*socket), *tls});
    auto& stream = secure->stream();
    error_code ec;
    // RFC 6066: a server name is a name, never an address. (What SSL_set_tlsext_host_name expands
    // to.)
    asio::ip::make_address(to.host, ec);
    if (ec && SSL_ctrl(
                  stream.native_handle(),
                  SSL_CTRL_SET_TLSEXT_HOSTNAME,
                  TLSEXT_NAMETYPE_host_name,
                  to.host.data()
              ) != 1)
        co_return error(errc::invalid, "the host's name does not fit into TLS");
    stream.set_verify_callback(asio::ssl::host_name_verification(to.host));
    secure->expect_before(deadline);
    co_await stream.async_handshake(
        asio::ssl::stream_base::client, asio::redirect_error(asio::use_awaitable, ec)
    );
    if (ec) co_await let_cancellation_pass();
    if (ec) co_return failed_to("the TLS handshake", secure->late(), ec);
    secure->rest();
    co_return std::move(secure);
}

awaitable<base::result<std::unique_ptr<connection>>> connect_local(
    std::string path, base::steady_time deadline
) {
    local::endpoint const to{path};
    auto socket = co_await connect_before<local>(to, deadline);
    if (!socket) co_return socket.error();
    co_return std::make_unique<connection_of<local::socket>>(std::move(*socket));
}

} // namespace postrider::net
