#include "agent/mcp/http_answer.hpp"

#include "agent/mcp/answered_id.hpp"

namespace postrider::agent::mcp {

void http_answer_reader::take_head(net::http_answer const& head) {
    is_stream_ = net::has_media_type(head.headers, event_stream_type);
}

std::vector<parsed_message> http_answer_reader::read(std::string_view bytes) {
    if (!is_stream_) {
        body_ += bytes; // the client bounds it
        return {};
    }
    std::vector<parsed_message> messages;
    auto events = events_.read(bytes);
    if (!events) {
        lost_answer_ = lost_answer_ || is_answer(events_.lost());
        messages.push_back(unreadable{{{}, {rpc_code::parse_error, events.error().detail, {}}}});
        events = events_.read({}); // what came with the one that is too large
    }
    for (auto const& event : *events) {
        if (event.data.empty() || !(event.type.empty() || event.type == "message")) continue;
        for (auto& arrived : parse_messages(event.data, limits_)) {
            if (!arrived)
                arrived = unreadable{{answered_id(event.data), arrived.error().answer.error}};
            messages.push_back(std::move(arrived));
        }
    }
    return messages;
}

std::vector<parsed_message> http_answer_reader::end() {
    if (is_stream_ || body_.empty()) return {};
    return parse_messages(body_, limits_);
}

base::error refusal_of(net::http_answer const& answer) {
    using base::errc;
    auto const status = answer.status;
    base::error reason{errc::refused, "the server answered " + std::to_string(status)};
    if (status == 401 || status == 403) reason.code = errc::unauthorized;
    if (status == 404) reason.code = errc::not_found;
    if (status == 429 || status == 503) {
        reason.code = status == 429 ? errc::rate_limited : errc::unavailable;
        reason.retry_after =
            net::parse_retry_after(answer.headers.find("Retry-After"), base::system_clock().now());
    } else if (status >= 500) {
        reason.code = errc::ambiguous;
    } else if (status < 300) {
        reason = base::error(errc::invalid, reason.detail + " without a result");
    }
    return reason;
}

} // namespace postrider::agent::mcp
