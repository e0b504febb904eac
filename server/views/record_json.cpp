#include "server/views/record_json.hpp"

#include "base/clock.hpp"
#include "base/utf8.hpp"
#include "net/base64.hpp"
#include "server/views/json_values.hpp"

#include <fmt/format.h>

#include <charconv>

namespace postrider::server {

namespace json = boost::json;

namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_whole = failure == std::errc{} && end == text.data() + text.size();
    if (!is_whole || text.starts_with('-')) return std::nullopt;
    return number;
}

} // namespace

json::object lane_message_json(storage::lane_message const& message) {
    return {
        {"id", message.id},
        {"job_id", message.at.job},
        {"role", message.role},
        {"origin", message.origin},
        {"content", message.content},
        {"created_at", message.created_at},
        {"sent_at", text_or_null(message.sent_at)},
        {"delivery", text_or_null(message.delivery)},
        {"author", message.author},
        {"calls", message.calls},
        {"tool", text_or_null(message.tool)},
        {"arguments", message.arguments},
        {"chat", or_null(message.chat)},
        {"thread", or_null(message.thread)},
        {"telegram_message_id", or_null(message.telegram_message)},
        {"reply_to", or_null(message.reply_to)},
        {"removed", message.removed},
        {"removed_at", text_or_null(message.removed_at)},
        {"reactions", message.reactions}};
}

json::object rejected_update_json(storage::rejected_update const& update) {
    return {
        {"bot", update.bot},
        {"update_id", update.at.update},
        {"received_at", update.at.received_at},
        {"disposition", "rejected"},
        {"reason", update.reason},
        {"bytes", update.size},
        {"raw", base::as_utf8(net::from_base64(update.base64).value_or(""))},
        {"raw_is_cut", update.size > storage::most_raw_bytes}};
}

json::object session_json(storage::session_summary const& session) {
    return {
        {"session", session.name},
        {"messages", session.messages},
        {"messages_are_more", session.messages >= storage::most_counted_messages},
        {"last_message_at", session.last_message_at},
        {"last_job_id", base::raw(session.last_job)}};
}

std::string cursor_of(storage::lane_message_place const& place) {
    return fmt::format("{}.{}", place.job, place.position);
}

std::optional<storage::lane_message_place> lane_message_place_from(std::string_view cursor) {
    auto const dot = std::min(cursor.find('.'), cursor.size());
    auto const job = whole_number(cursor.substr(0, dot));
    auto const position = whole_number(cursor.substr(std::min(dot + 1, cursor.size())));
    if (!job || !position) return std::nullopt;
    return storage::lane_message_place{*job, *position};
}

std::string cursor_of(storage::update_place const& place) {
    return fmt::format("{},{},{}", place.received_at, place.bot, place.update);
}

std::optional<storage::update_place> update_place_from(std::string_view cursor) {
    auto const first = cursor.find(',');
    auto const second = cursor.find(',', std::min(first, cursor.size()) + 1);
    if (first == cursor.npos || second == cursor.npos) return std::nullopt;
    std::string time(cursor.substr(0, first));
    auto const bot = whole_number(cursor.substr(first + 1, second - first - 1));
    auto const update = whole_number(cursor.substr(second + 1));
    if (!base::from_iso8601(time) || !bot || !update) return std::nullopt;
    return storage::update_place{std::move(time), *bot, *update};
}

} // namespace postrider::server
