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

} // namespace postrider::agent::mcp
