#include "server/telemetry/trace_context.hpp"

#include <algorithm>

namespace postrider::telemetry {

namespace {

constexpr std::string_view name = "traceparent";
constexpr std::size_t length = 55; // of the parts that every version begins with

bool is_hex(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_zero(std::string_view text) {
    return text.find_first_not_of('0') == text.npos;
}

} // namespace

std::optional<trace_context> parse_traceparent(std::string_view text) {
    if (text.size() < length || text[2] != '-' || text[35] != '-' || text[52] != '-')
        return std::nullopt;
    auto const version = text.substr(0, 2);
    auto const trace = text.substr(3, 32);
    auto const parent = text.substr(36, 16);
    auto const flags = text.substr(53, 2);
    for (auto part : {version, trace, parent, flags})
        if (!is_hex(part)) return std::nullopt;
    // A later version may say more behind these parts.
    bool const longer = text.size() > length;
    if (version == "ff" || (longer && (version == "00" || text[length] != '-')))
        return std::nullopt;
    if (is_zero(trace) || is_zero(parent)) return std::nullopt;
    bool const sampled = std::string_view("13579bdf").find(flags[1]) != std::string_view::npos;
    return trace_context{std::string(trace), std::string(parent), sampled};
}

void continue_trace(boost::json::value& input, net::http_request const& request) {
    if (request.headers.count(name) != 1) return;
    auto const text = request.headers.find(name);
    if (parse_traceparent(text)) input.as_object()[name] = text.substr(0, length);
}

} // namespace postrider::telemetry
