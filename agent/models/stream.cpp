#include "agent/models/stream.hpp"

#include "agent/models/wire.hpp"
#include "base/json/nul.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>

namespace postrider::agent::wire {

namespace json = boost::json;

namespace {

constexpr std::string_view end_mark = "[DONE]";

// Rather than a stream that was cut before its first event.
bool is_object(std::string_view text) {
    auto const first = text.find_first_not_of(" \t\r\n");
    return first != text.npos && text[first] == '{';
}

// Or the beginning of one.
bool is_event(std::string_view text) {
    constexpr std::array<std::string_view, 5> fields{"data:", "event:", "id:", "retry:", ":"};
    text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
    return std::ranges::any_of(fields, [text](std::string_view field) {
        return text.starts_with(field) || field.starts_with(text);
    });
}

} // namespace

void stream::tell(std::string_view text) {
    std::string said(text);
    base::drop_nul(said);
    auto const visible = thoughts_.pass(said);
    if (thoughts_.takes_back()) hear_({});
    if (!visible.empty()) hear_(visible);
}

void stream::take(std::string_view bytes) {
    if (status_) status_ = take_all(bytes);
}

base::result<void> stream::take_all(std::string_view bytes) {
    auto events = events_.read(bytes);
    if (!events) return unusable_answer(events.error().detail);
    any_ = any_ || !events->empty();
    if (any_)
        unread_.clear();
    else
        unread_ += bytes;
    for (auto const& event : *events)
        if (auto taken = take_event(event); !taken) return taken;
    return {};
}

base::result<void> stream::take_event(net::sse_event const& event) {
    if (event.data == end_mark) {
        done_ = true;
        return {};
    }
    auto document = parse_answer(event.data);
    if (!document) return document.error();
    // Servers that name the event say no more in its data than the error's own members.
    if (event.type == "error" && !document->contains("error") && !document->contains("type"))
        *document = json::object{{"error", std::move(*document)}};
    auto taken = take(*document);
    if (taken) has_begun_ = true;
    return taken;
}

// An event that was cut is no JSON object.
base::result<void> stream::take_rest() {
    auto const events = events_.read("\n\n");
    if (!events) return {};
    for (auto const& event : *events) {
        if (event.data != end_mark && !parse_answer(event.data)) continue;
        if (auto taken = take_event(event); !taken) return taken;
    }
    return {};
}

base::result<std::string> stream::document() {
    if (!status_) return status_.error();
    if (!any_ && is_object(unread_)) return std::move(unread_);
    if (auto taken = take_rest(); !taken) return taken.error();
    // Such as a page of a proxy.
    if (!any_ && !is_event(unread_))
        return unusable_answer("the answer is neither an event stream nor JSON");
    auto document = whole();
    if (!document) return unusable_answer("the stream ended early");
    return json::serialize(*document);
}

} // namespace postrider::agent::wire
