#include "net/http_client.hpp"

#include "net/answer_parser.hpp"
#include "net/message_head.hpp"
#include "net/pool_set.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include <array>

namespace postrider::net {

namespace asio = boost::asio;
using base::awaitable;
using base::errc;
using base::error;
using boost::system::error_code;

namespace {

constexpr std::size_t answer_read_size = 16u << 10;

// What the calls in flight share; each keeps it alive.
struct core : std::enable_shared_from_this<core> {
    core(asio::any_io_executor const& on, http_client_options client_options)
        : executor(on),
          options(std::move(client_options)),
          trust(on, options.ca_file),
          names(on, options.look_up),
          pools(on, options, trust, names),
          sweeper(on) {}

    void sweep_later();
    void close();

    asio::any_io_executor executor;
    http_client_options options;
    tls_trust trust;
    resolver names;
    pool_set pools;
    asio::steady_timer sweeper;
    bool sweeping = false;
    bool closed = false;
};

// One try on one connection.
struct exchange {
    pool::lease line;
    http_call const& call;
    std::string const& wire;
    base::steady_time deadline;
    bool written = false;  // a byte of the request at least
    bool answered = false; // a byte of the answer at least
    bool overdue = false;  // a deadline of ours ended it

    awaitable<base::result<http_answer>> run();
    awaitable<bool> write();
    awaitable<base::result<http_answer>> read(bool whole_request);
    error lost(std::string_view event) const;
    base::steady_time at_most(base::duration limit) const {
        return std::min(deadline, base::system_clock().steady() + limit);
    }
};

// Idle connections hold descriptors, and origins memory, for no longer than twice keep_alive.
void core::sweep_later() {
    if (sweeping || closed) return;
    sweeping = true;
    sweeper.expires_after(options.keep_alive);
    sweeper.async_wait([weak = weak_from_this()](error_code ec) {
        auto self = weak.lock();
        if (!self || ec) return;
        self->sweeping = false;
        self->pools.sweep();
        if (self->pools.size() > 0) self->sweep_later();
    });
}

void core::close() {
    closed = true;
    sweeper.cancel();
    pools.close();
}

awaitable<base::result<http_answer>> exchange::run() {
    auto const whole = co_await write();
    // An answer may come before the request is through, and tell why the rest is not needed.
    if (!whole && (!written || overdue)) co_return lost("the request was not written");
    co_return co_await read(whole);
}

awaitable<bool> exchange::write() {
    line->expect_before(deadline);
    error_code ec;
    std::array<asio::const_buffer, 2> const bytes{asio::buffer(wire), asio::buffer(call.body)};
    auto const sent = co_await line->write(bytes, ec);
    written = sent > 0;
    overdue = line->late();
    co_return !ec;
}

awaitable<base::result<http_answer>> exchange::read(bool whole_request) {
    std::optional<answer_parser> parser;
    parser.emplace(call);
    boost::beast::flat_buffer buffer;
    using parse_state = answer_parser::parse_state;
    line->expect_before(at_most(call.first_byte_timeout));
    for (;;) {
        error_code ec;
        auto const size = co_await line->read_some(buffer.prepare(answer_read_size), ec);
        buffer.commit(size);
        answered = answered || size > 0;
        overdue = line->late();

        auto state = parse_state::more;
        if (size > 0) {
            std::size_t used = 0;
            do {
                if (state == parse_state::done) parser.emplace(call, parser->heads());
                std::string_view bytes{
                    static_cast<char const*>(buffer.cdata().data()), buffer.size()};
                state = bytes.empty() ? parse_state::more : parser->parse(bytes, used);
                buffer.consume(bytes.empty() ? 0 : used);
            } while (state == parse_state::done && parser->interim());
        }
        if (state == parse_state::more && ec == asio::error::eof) state = parser->parse_end();
        if (state == parse_state::done) {
            if (whole_request && !ec && parser->keep_alive() && buffer.size() == 0)
                line.give_back();
            co_return std::move(parser->answer());
        }
        if (state == parse_state::too_large)
            co_return error(errc::too_large, "the answer is too large", was_answered);
        if (ec) co_return lost(answered ? "the answer was cut" : "no answer came");
        if (state == parse_state::malformed)
            co_return error(errc::invalid, "malformed HTTP answer", was_answered);
        line->expect_before(at_most(call.idle_timeout));
    }
}

error exchange::lost(std::string_view event) const {
    std::string detail{event};
    if (overdue) detail += answered ? ": it stalled" : " in time";
    return error(written ? errc::ambiguous : errc::unavailable, std::move(detail));
}

awaitable<base::result<http_answer>> send_call(std::shared_ptr<core> shared, http_call call) {
    if (shared->closed) co_return error(errc::cancelled, "the client is closed");
    auto const deadline = base::system_clock().steady() + call.total_timeout;
    auto to = shared->pools.find(call.origin);
    if (!to) co_return to.error();
    shared->sweep_later();
    auto& from = **to;
    std::string wire;
    request_line const line{call.method, call.target, from.to().authority};
    auto head = append_request_head(wire, line, call.headers, call.body.size());
    if (!head) co_return head.error();

    for (auto kind = pool::kind::any;;) {
        auto leased = co_await from.acquire(kind, call.connect_timeout, deadline);
        if (!leased) co_return leased.error();
        auto const reused = leased->reused();
        exchange attempt{std::move(*leased), call, wire, deadline};
        auto answer = co_await attempt.run();
        if (answer) co_return std::move(*answer);
        if (shared->closed) co_return error(errc::cancelled, "the client was closed");
        // The other side may close an idle connection at any moment, also just now.
        auto const stale = reused && !attempt.answered && !attempt.overdue;
        if (!stale || (attempt.written && !call.idempotent)) co_return answer.error();
        kind = pool::kind::fresh;
    }
}

class pooled_client final : public http_client {
public:
    pooled_client(asio::any_io_executor const& executor, http_client_options options)
        : core_(std::make_shared<core>(executor, std::move(options))) {}
    ~pooled_client() override { core_->close(); }

    awaitable<base::result<http_answer>> send(http_call call) override {
        return send_call(core_, std::move(call));
    }
    void close() override { core_->close(); }

private:
    std::shared_ptr<core> core_;
};

} // namespace

std::unique_ptr<http_client> make_http_client(
    asio::any_io_executor executor, http_client_options options
) {
    return std::make_unique<pooled_client>(std::move(executor), std::move(options));
}

} // namespace postrider::net
