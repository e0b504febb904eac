#include "server/views/usage_json.hpp"

#include <boost/json/array.hpp>

#include <charconv>

namespace postrider::server {

namespace json = boost::json;

namespace {

constexpr double micro_in_a_cent = 10'000;

// Users and chats are numbers; a conversation of the chat API stands among the chats by its UUID.
json::value subject_json(storage::usage_line const& line, storage::usage_key key) {
    if (!line.subject) return nullptr;
    auto const& text = *line.subject;
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_id = key == storage::usage_key::user || key == storage::usage_key::chat;
    if (is_id && ec == std::errc{} && end == text.data() + text.size()) return number;
    return json::value(text);
}

} // namespace

json::object usage_json(storage::usage_report const& report) {
    json::array lines;
    for (auto const& line : report.lines)
        lines.push_back(json::object{
            {to_string(report.by), subject_json(line, report.by)},
            {"calls", line.calls},
            {"tokens_in", line.tokens_in},
            {"tokens_out", line.tokens_out},
            {"tokens_cached", line.tokens_cached},
            {"cost", static_cast<double>(line.cost_micro) / micro_in_a_cent}});
    return {
        {"usage", std::move(lines)},
        {"by", to_string(report.by)},
        {"days", report.days},
        {"timezone", report.timezone}};
}

} // namespace postrider::server
