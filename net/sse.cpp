#include "net/sse.hpp"

namespace postrider::net {

namespace {

constexpr std::string_view line_breaks = "\r\n";

void append_event_field(std::string& to, std::string_view name, std::string_view value) {
    to.append(name).append(": ").append(value).append("\n");
}

void append_line_field(std::string& to, std::string_view name, std::string_view value) {
    // A client ignores an id with NUL.
    value = value.substr(0, value.find_first_of(std::string_view("\r\n\0", 3)));
    if (!value.empty()) append_event_field(to, name, value);
}

void append_data(std::string& to, std::string_view data) {
    for (;;) {
        auto const end = data.find_first_of(line_breaks);
        append_event_field(to, "data", data.substr(0, end));
        if (end == std::string_view::npos) return;
        data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
    }
}

} // namespace

std::string to_text(sse_event const& event) {
    std::string text;
    append_line_field(text, "id", event.id);
    append_line_field(text, "event", event.type);
    bool const only_tells_id = !event.id.empty() && event.type.empty() && event.data.empty();
    if (!only_tells_id) append_data(text, event.data);
    text += "\n";
    return text;
}

http_response sse_response(std::function<base::awaitable<void>(body_writer&)> produce) {
    http_response response;
    response.headers.add("Content-Type", "text/event-stream");
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("X-Accel-Buffering", "no"); // nginx would collect events
    response.stream = {std::move(produce), ":\n\n"};
    return response;
}

} // namespace postrider::net
