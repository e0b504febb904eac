#include "agent/expression/expression.hpp"
#include "agent/flow/document/span_text.hpp"
#include "agent/flow/parameters.hpp"
#include "agent/spam/rules_json.hpp"
#include "base/cron.hpp"
#include "base/names.hpp"
#include "base/time_zone.hpp"

namespace postrider::agent::flow {

namespace {

using check = std::string (*)(std::string_view text);

std::string duration(std::string_view text) {
    if (base::duration_from_text(text)) return {};
    if (is_endless_span(text)) return std::string(endless_span);
    return "is no span of time; " + std::string(span_hint);
}

std::string instant(std::string_view text) {
    if (base::from_iso8601(text)) return {};
    return "is no instant; write it as 2026-11-21T08:53:00Z";
}

std::string cron(std::string_view text) {
    auto const read = base::cron::parse(text);
    return read ? "" : "is no cron expression: " + read.error().detail;
}

std::string timezone(std::string_view text) {
    auto const zone = base::find_time_zone(text);
    // A machine without zones must not refuse what another one made.
    if (zone || zone.error().code != base::errc::not_found) return {};
    return "is no time zone: " + zone.error().detail;
}

// Of a URL, below the server's own: segments of what needs no escapes.
std::string path(std::string_view text) {
    constexpr std::string_view unreserved =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    bool const fits = !text.empty() && text.front() != '/' && text.back() != '/' &&
                      text.find("//") == text.npos && text.find("..") == text.npos &&
                      text.find_first_not_of(unreserved) == text.npos;
    return fits ? "" : "is no path; write it as orders/new, of A-Z, a-z, 0-9, - . _ ~ and /";
}

// One about an answer, which its $json is.
std::string expression_text(std::string_view text) {
    auto const read = expression::parse(text);
    if (!read) return "is no expression: " + to_text(read.error());
    auto const read_names = read->references();
    bool const is_about_answer = read_names.nodes.empty() && read_names.from_ai.empty() &&
                                 read_names.variables == std::vector<std::string>{"$json"};
    return is_about_answer ? "" : "may name $json alone, which is the answer";
}

std::string spam_rules(boost::json::value const& value) {
    auto const* changes = value.if_object();
    if (!changes) return {};
    auto const rules = spam::changed_rules(*changes);
    return rules ? "" : "cannot be used: " + rules.error().detail;
}

constexpr base::names<check, 6> text_checks{{
    {duration, "duration"},
    {instant, "instant"},
    {cron, "cron"},
    {timezone, "timezone"},
    {path, "path"},
    {expression_text, "expression"},
}};

} // namespace

std::string format_violation(std::string_view format, boost::json::value const& value) {
    if (format == "json_schema") {
        auto const compiled = json_schema::compile(value);
        return compiled ? "" : "is no JSON Schema: " + json_schema::to_text(compiled.error());
    }
    if (format == "spam_rules") return spam_rules(value);
    auto const check = base::named(text_checks, format);
    auto const* text = value.if_string();
    return check && text ? (*check)(std::string_view(text->data(), text->size())) : "";
}

} // namespace postrider::agent::flow
