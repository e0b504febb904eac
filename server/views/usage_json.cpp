#include "server/views/usage_json.hpp"

#include <boost/json/array.hpp>

#include <charconv>

namespace postrider::server {

namespace json = boost::json;

namespace {

constexpr double micro_in_a_cent = 10'000;

// Users and chats are numbers; a conversation of the chat API stands among the chats by its UUID.
json::value subject_json(std::optional<std::string> const& subject, storage::usage_key key) {
    if (!subject) return nullptr;
    auto const& text = *subject;
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_id = key == storage::usage_key::user || key == storage::usage_key::chat;
    if (is_id && ec == std::errc{} && end == text.data() + text.size()) return number;
    return json::value(text);
}

} // namespace

json::object usage_json(storage::usage_report const& report) {
    json::array lines;
    for (auto const& line : report.lines) {
        json::object shown{{to_string(report.by), subject_json(line.subject, report.by)}};
        if (report.then_by)
            shown[to_string(*report.then_by)] = subject_json(line.second, *report.then_by);
        shown["calls"] = line.calls;
        shown["tokens_in"] = line.tokens_in;
        shown["tokens_out"] = line.tokens_out;
        shown["tokens_cached"] = line.tokens_cached;
        shown["cost"] = static_cast<double>(line.cost_micro) / micro_in_a_cent;
        lines.push_back(std::move(shown));
    }
    std::string by(to_string(report.by));
    if (report.then_by) by.append(",").append(to_string(*report.then_by));
    return {
        {"usage", std::move(lines)},
        {"by", by},
        {"days", report.days},
        {"timezone", report.timezone}};
}

} // namespace postrider::server
