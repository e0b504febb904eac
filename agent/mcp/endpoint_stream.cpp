#include "agent/mcp/endpoint_stream.hpp"

#include "agent/mcp/answered_id.hpp"
#include "agent/mcp/http_answer.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::mcp {

namespace {

using base::awaitable;
using base::errc;
using base::error;

constexpr std::size_t longest_endpoint = 8u << 10;

std::optional<int> error_code_in(net::http_answer const& refusal, message_limits limits) {
    auto const parsed = std::move(parse_messages(refusal.body, limits).front());
    auto const* failure = parsed ? std::get_if<rpc_failure>(&*parsed) : nullptr;
    return failure ? std::optional(failure->error.code) : std::nullopt;
}

} // namespace

bool may_be_older(net::http_answer const& refusal, message_limits limits) {
    constexpr std::array about_the_caller{401, 403, 408, 413, 429, 431};
    auto const status = refusal.status;
    if (status < 400 || status >= 500) return false;
    if (std::ranges::find(about_the_caller, status) != about_the_caller.end()) return false;
    auto const code = error_code_in(refusal, limits);
    return !code || *code > rpc_code::header_mismatch || *code < rpc_code::unsupported_version;
}

bool says_more(base::error const& reason, net::http_answer const& refusal, message_limits limits) {
    // Servers say "Method not allowed." with the code of those without a meaning.
    if (error_code_in(refusal, limits).value_or(rpc_code::server_error) != rpc_code::server_error)
        return false;
    return reason == errc::invalid || reason == errc::too_large || reason == errc::unauthorized ||
           reason == errc::rate_limited;
}

endpoint_stream::endpoint_stream(
    boost::asio::any_io_executor executor,
    net::http_client& client,
    http_options const& options,
    message_receiver& receiver
)
    : client_(client),
      options_(options),
      receiver_(&receiver),
      events_(options.limits.bytes),
      named_(executor),
      tasks_(std::move(executor)) {}

awaitable<base::result<std::string>> endpoint_stream::open(net::http_call asking) {
    auto const deadline = base::system_clock().steady() + options_.endpoint_timeout;
    tasks_.spawn("mcp.endpoint_stream", read(std::move(asking)));
    while (!endpoint_) {
        auto const left = deadline - base::system_clock().steady();
        bool in_time = left > base::duration::zero();
        if (in_time) in_time = co_await named_.wait_for(left);
        if (!in_time && !endpoint_) end(error(errc::invalid, "the server names no endpoint"));
    }
    co_return *endpoint_;
}

awaitable<void> endpoint_stream::close() {
    receiver_ = nullptr;
    tasks_.cancel();
    co_await tasks_.join();
}

awaitable<void> endpoint_stream::read(net::http_call asking) {
    bool is_stream = false;
    asking.take_head = [&is_stream](net::http_answer const& head) {
        is_stream = head.status == 200 && net::has_media_type(head.headers, event_stream_type);
    };
    asking.take_body = [this, &is_stream](std::string_view bytes) {
        if (is_stream) take(bytes);
    };
    auto const answer = co_await client_.send(std::move(asking));
    if (!answer && !is_stream) co_return end(answer.error());
    if (!is_stream && answer->status == 200)
        co_return end(error(errc::not_found, "the server opens no stream of events"));
    if (!is_stream) co_return end(refusal_of(*answer));
    end(endpoint_ ? error(errc::unavailable, "the server ended its stream")
                  : error(errc::invalid, "the server names no endpoint"));
}

void endpoint_stream::take(std::string_view bytes) {
    auto events = events_.read(bytes);
    if (!events) return end(error(errc::too_large, "an event of the server is too large"));
    for (auto const& event : *events) {
        if (!receiver_) return;
        if (!endpoint_ && event.type == "endpoint") take_endpoint(event.data);
        if (endpoint_ && (event.type.empty() || event.type == "message")) take_messages(event.data);
    }
}

void endpoint_stream::take_endpoint(std::string_view reference) {
    auto target = reference.size() > longest_endpoint
                      ? base::result<std::string>(error(errc::invalid, "is too long"))
                      : net::target_within(options_.address, reference);
    if (!target) return end(error(errc::invalid, "the server's endpoint " + target.error().detail));
    endpoint_ = std::move(target);
    named_.notify();
}

void endpoint_stream::take_messages(std::string_view text) {
    if (text.empty()) return;
    for (auto& arrived : parse_messages(text, options_.limits)) {
        if (!receiver_) return;
        if (arrived) {
            receiver_->receive(std::move(*arrived));
        } else if (auto const id = answered_id(text)) {
            auto const& reason = arrived.error().answer.error.message;
            receiver_->fail_request(*id, error(errc::invalid, reason));
        }
    }
}

// Whoever waits for the address hears why there is none; later there is a connection to lose.
void endpoint_stream::end(error reason) {
    auto* receiver = std::exchange(receiver_, nullptr);
    tasks_.cancel();
    if (endpoint_) {
        if (receiver) receiver->lose(reason);
        return;
    }
    endpoint_ = std::move(reason);
    named_.notify();
}

} // namespace postrider::agent::mcp
