#include "net/session.hpp"

#include "base/log.hpp"
#include "net/listen_socket.hpp"
#include "net/message_head.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

#include <array>

namespace postrider::net {

namespace asio = boost::asio;
using base::awaitable;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t request_read_size = 8u << 10;
// Bodies that are read for nothing, to keep the connection or to let the client see the answer.
constexpr std::size_t most_passed_over = 64u << 10;
constexpr std::size_t most_lingered = 1u << 20;
constexpr std::size_t most_discarded = 64u << 20;
constexpr auto linger_time = 500ms;
// An answer up to this size is copied behind its head: one buffer, one system call.
constexpr std::size_t small_body = 4u << 10;

http_response failed(route const& route, std::string_view id, std::string_view reason) {
    base::log::error(
        "http.handler_failed", {{"route", route.pattern}, {"request", id}, {"error", reason}}
    );
    return http_response::problem(500, "internal", "the request failed; its id is in the log");
}

gate_result ask_gate(route const& route, http_request const& head) {
    if (!route.gate) return admitted{};
    try {
        return route.gate(head);
    } catch (std::exception const& e) {
        return failed(route, head.id, e.what());
    }
}

// What is left of a message after its first bytes.
std::array<asio::const_buffer, 2> after(
    std::size_t sent, std::string_view head, std::string_view body
) {
    auto const of_head = std::min(sent, head.size());
    return {asio::buffer(head) + of_head, asio::buffer(body) + (sent - of_head)};
}

std::string too_large(std::size_t limit) {
    bool const whole = limit >= 1024 && limit % 1024 == 0;
    auto const most =
        whole ? std::to_string(limit / 1024) + " KiB" : std::to_string(limit) + " bytes";
    return "the body is over " + most;
}

} // namespace

session::session(session_context& context, socket connected, session_peer peer)
    : context_(context),
      socket_(std::move(connected)),
      peer_(std::move(peer)),
      deadline_(
          socket_.get_executor(),
          [this] {
              ++context_.counts.timed_out;
              boost::system::error_code ignored;
              socket_.cancel(ignored);
          }
      ),
      place_(context.waiting, [this] {
          ++context_.counts.evicted;
          abort();
      }) {}

awaitable<void> session::run() {
    auto step = next::request;
    while (step == next::request) {
        step = co_await serve_request();
        // Many requests at once are one client's: the others' come in between.
        if (buffer_.size() > 0) co_await asio::post(socket_.get_executor(), asio::use_awaitable);
    }
    if (step == next::linger) co_await linger();
}

void session::stop() {
    boost::system::error_code ignored;
    if (waiting_) socket_.cancel(ignored);
    if (streaming_) streaming_->stop();
}

awaitable<session::next> session::serve_request() {
    current_ = {};
    std::size_t head_size = 0;
    auto end = co_await read_head(head_size);
    if (end == head_end::gone) co_return next::close;
    if (end == head_end::too_large)
        co_return co_await refuse(431, "too_large", "the request's head is too large");

    request_parser parser;
    auto refused = parser.parse_head(unread().substr(0, head_size));
    if (refused) {
        ++context_.counts.refused_framing;
        co_return co_await refuse(400, "invalid", *refused);
    }
    buffer_.consume(head_size);
    ++context_.counts.requests;
    identify(parser.request());
    current_.keep_alive = parser.keep_alive();
    current_.http_1_0 = parser.version() == 10;
    current_.head_only = parser.request().method == "HEAD";
    co_return co_await serve(parser);
}

awaitable<session::next> session::serve(request_parser& parser) {
    auto& request = parser.request();
    auto found = context_.routes.find(request.method, request.path);
    if (auto* early = std::get_if<http_response>(&found))
        co_return co_await turn_away(parser, std::move(*early));
    auto& match = std::get<router::match>(found);
    auto const* to = match.to;
    request.params = std::move(match.params);
    auto gate = ask_gate(*to, request);
    if (auto* early = std::get_if<http_response>(&gate))
        co_return co_await turn_away(parser, std::move(*early));
    if (std::get<admitted>(gate).proven) place_.exempt();

    parser.limit_body(to->body_limit, to->when_oversize);
    auto const end = co_await read_body(parser);
    switch (end) {
    case body_end::complete:
        break;
    case body_end::cut:
        current_.keep_alive = false;
        break;
    case body_end::too_large:
        co_return co_await refuse(413, "too_large", too_large(to->body_limit));
    case body_end::late:
        co_return co_await refuse(408, "timeout", "the body came too slowly");
    case body_end::gone:
        co_return next::close;
    case body_end::malformed:
        ++context_.counts.refused_framing;
        co_return co_await refuse(400, "invalid", "malformed body");
    }

    auto response = co_await call(*to, std::move(request));
    if (to->gate && !std::get<admitted>(gate).anonymous && response.status < 400) place_.exempt();
    auto const written = co_await answer(std::move(response));
    if (end == body_end::cut) co_return next::linger;
    co_return written&& current_.keep_alive ? next::request : next::close;
}

awaitable<session::head_end> session::read_head(std::size_t& size) {
    std::size_t searched = 0;
    bool has_begun = false;
    auto const& options = context_.options;
    auto const limit = options.header_limit;
    for (;;) {
        auto have = unread();
        auto blank_line = have.find("\r\n\r\n", searched);
        if (blank_line != std::string_view::npos) {
            size = blank_line + 4;
            fresh_ = false;
            co_return size > limit ? head_end::too_large : head_end::complete;
        }
        if (have.size() >= limit) co_return head_end::too_large;

        if (have.empty()) {
            if (context_.stopping) co_return head_end::gone;
            begin_wait();
            auto const patience = fresh_ ? options.header_timeout : options.idle_timeout;
            deadline_.expect_before(wait_begun_ + patience);
        } else {
            // A head without carriage returns, or TLS on a plain port, would never find its end.
            size = have.size();
            if (!has_begun && refuse_lines(have)) co_return head_end::complete;
            if (!std::exchange(has_begun, true)) begin_wait();
            allow(have.size(), options.header_timeout);
        }
        searched = have.size() < 3 ? 0 : have.size() - 3;
        waiting_ = have.empty();
        auto const more = co_await fill(request_read_size);
        waiting_ = false;
        if (!more) co_return head_end::gone;
    }
}

awaitable<session::body_end> session::read_body(request_parser& parser) {
    if (parser.done()) co_return body_end::complete;
    if (parser.too_long_by_declaration()) co_return body_end::too_large;
    if (parser.expects_continue() && buffer_.size() == 0) {
        auto const asked = co_await write("HTTP/1.1 100 Continue\r\n\r\n", {});
        if (!asked) co_return body_end::gone;
    }

    auto const truncated_or = [&parser](body_end other) {
        return parser.request().truncated ? body_end::cut : other;
    };
    begin_wait();
    for (std::size_t parsed_bytes = 0;;) {
        std::size_t used = 0;
        auto state = request_parser::parse_state::more;
        if (buffer_.size() > 0) state = parser.parse_body(unread(), used);
        buffer_.consume(used);
        parsed_bytes += used;
        switch (state) {
        case request_parser::parse_state::done:
            co_return body_end::complete;
        case request_parser::parse_state::malformed:
            co_return body_end::malformed;
        case request_parser::parse_state::oversize:
            co_return body_end::too_large;
        case request_parser::parse_state::more:
            break;
        }
        if (parsed_bytes > most_discarded && parser.request().truncated) co_return body_end::cut;
        // The line of a chunk's size is all that may wait unparsed.
        if (buffer_.size() > context_.options.header_limit) co_return body_end::malformed;
        allow(parsed_bytes + buffer_.size(), context_.options.body_timeout);
        auto const more = co_await fill(request_read_size);
        if (!more) co_return deadline_.expired() ? truncated_or(body_end::late) : body_end::gone;
    }
}

// Answers a request whose body is not wanted. Nobody waits for such a body: the connection goes on
// only when it has come already.
awaitable<session::next> session::turn_away(request_parser& parser, http_response response) {
    bool const whole = skip_received_body(parser);
    if (!whole) current_.keep_alive = false;
    auto const written = co_await answer(std::move(response));
    if (!whole) co_return next::linger;
    co_return written&& current_.keep_alive ? next::request : next::close;
}

// False when the rest of the connection cannot be read as requests.
bool session::skip_received_body(request_parser& parser) {
    if (parser.done()) return true;
    auto const length = parser.declared_length();
    if (!length || *length > most_passed_over || parser.expects_continue()) return false;
    parser.limit_body(0, oversize::truncate);
    for (;;) {
        std::size_t used = 0;
        auto state = request_parser::parse_state::more;
        if (buffer_.size() > 0) state = parser.parse_body(unread(), used);
        buffer_.consume(used);
        if (state != request_parser::parse_state::more)
            return state == request_parser::parse_state::done;
        boost::system::error_code ec;
        buffer_.commit(socket_.read_some(buffer_.prepare(request_read_size), ec));
        if (ec) return false; // would_block: it has not come yet
    }
}

awaitable<http_response> session::call(route const& route, http_request request) {
    place_.leave();
    deadline_.rest(); // the handler has deadlines of its own
    std::string failure;
    try {
        co_return co_await route.handle(std::move(request));
    } catch (std::exception const& e) {
        failure = e.what();
    }
    auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
    co_return failed(route, current_.id, failure);
}

awaitable<session::next> session::refuse(
    int status, std::string_view code, std::string_view detail
) {
    if (current_.id.empty()) current_.id = context_.request_ids.next();
    current_.keep_alive = false;
    co_await answer(http_response::problem(status, code, detail));
    co_return next::linger;
}

awaitable<bool> session::answer(http_response response) {
    if (response.stream.produce) response.close = true;
    current_.keep_alive = current_.keep_alive && !response.close && !context_.stopping;
    response_framing framing{current_.keep_alive, current_.http_1_0};
    out_.clear();
    if (auto written = append_response_head(out_, response, current_.id, framing); !written) {
        base::log::error(
            "http.answer_malformed", {{"request", current_.id}, {"error", written.error()}}
        );
        response = http_response::problem(500, "internal", "the request failed");
        append_response_head(out_, response, current_.id, framing).value();
    }
    auto body = response.content();
    if (current_.head_only || response.status == 204 || response.status == 304) body = {};
    if (body.size() <= small_body) {
        out_.append(body);
        body = {};
    }
    // A client that asks for many answers at once has to take each before the next is produced.
    if (buffer_.size() > 0) keep_little_unsent(socket_);
    auto const written = co_await write(out_, body);
    bool const streams = written && response.stream.produce && !current_.head_only;
    if (streams) co_await stream(std::move(response.stream));
    co_return written;
}

awaitable<void> session::stream(body_stream body) {
    auto const& options = context_.options;
    streaming_.emplace(
        socket_,
        deadline_,
        response_stream::options{
            current_.id, !current_.http_1_0, options.write_timeout, options.longest_silence}
    );
    if (context_.stopping) streaming_->stop();
    co_await streaming_->send(std::move(body));
}

awaitable<bool> session::write(std::string_view head, std::string_view body) {
    // The kernel nearly always has room for a small answer: no suspension, no timer.
    auto const total = head.size() + body.size();
    boost::system::error_code ec;
    auto written = socket_.write_some(after(0, head, body), ec);
    if (ec && ec != asio::error::would_block) co_return false;
    if (written == total) co_return true;

    begin_wait();
    writing_ = true;
    for (auto const buffered = written; written < total;) {
        allow(written - buffered, context_.options.write_timeout);
        auto const rest = after(written, head, body);
        written +=
            co_await socket_.async_write_some(rest, asio::redirect_error(asio::use_awaitable, ec));
        if (!ec) continue;
        if (deadline_.expired()) abort();
        co_return false;
    }
    writing_ = false;
    co_return true;
}

// Reads what there is. False at the end of the input, and when the deadline passes.
awaitable<bool> session::fill(std::size_t room) {
    if (deadline_.expired()) co_return false;
    boost::system::error_code ec;
    auto read = co_await socket_.async_read_some(
        buffer_.prepare(room), asio::redirect_error(asio::use_awaitable, ec)
    );
    buffer_.commit(read);
    co_return !ec;
}

awaitable<void> session::linger() {
    boost::system::error_code ignored;
    socket_.shutdown(socket::shutdown_send, ignored);
    begin_wait();
    deadline_.expect_before(wait_begun_ + linger_time);
    for (std::size_t passed = 0; passed < most_lingered; passed += buffer_.size()) {
        buffer_.clear();
        auto const more = co_await fill(request_read_size);
        if (!more) break;
    }
}

void session::begin_wait() {
    wait_begun_ = base::system_clock().steady();
    place_.wait();
}

// The deadline of a message of which so many bytes have moved since the wait began.
void session::allow(std::size_t bytes, base::duration limit) {
    deadline_.expect_before(wait_begun_ + context_.options.pace.allowance(bytes, limit));
}

// Closes the connection at once. Of an answer that the client does not take, the kernel would keep
// its part for minutes.
void session::abort() {
    boost::system::error_code ignored;
    if (writing_) socket_.set_option(socket::linger(true, 0), ignored);
    socket_.close(ignored);
}

void session::identify(http_request& request) {
    request.remote = peer_.text;
    if (peer_.trusted) {
        context_.proxies.tell_client(request);
        if (auto received = request.headers.find("X-Request-Id"); is_request_id(received))
            current_.id = received;
    }
    if (current_.id.empty()) current_.id = context_.request_ids.next();
    request.id = current_.id;
}

std::string_view session::unread() const noexcept {
    return {static_cast<char const*>(buffer_.cdata().data()), buffer_.size()};
}

} // namespace postrider::net
