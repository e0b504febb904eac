#include "agent/mcp/http_answer.hpp"

namespace postrider::agent::mcp {

namespace {

constexpr std::string_view stream_type = "text/event-stream";

} // namespace

void http_answer_reader::take_head(net::http_answer const& head) {
    auto const type = head.headers.find("Content-Type");
    is_stream_ = net::equals_without_case(type.substr(0, stream_type.size()), stream_type);
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
        return messages;
    }
    for (auto const& event : *events)
        if (event.type.empty() || event.type == "message")
            if (!event.data.empty()) messages.push_back(parse_message(event.data, limits_));
    return messages;
}

std::vector<parsed_message> http_answer_reader::end() {
    std::vector<parsed_message> messages;
    if (!is_stream_ && !body_.empty()) messages.push_back(parse_message(body_, limits_));
    return messages;
}

} // namespace postrider::agent::mcp
