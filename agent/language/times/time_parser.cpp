#include "agent/language/times/time_reader.hpp"

namespace postrider::agent::language {

bool names_day(time_parts const& parts) {
    return parts.days || parts.weekday || parts.month_day || parts.span || parts.span_months;
}

std::optional<time_parts> parse_time(compiled_language const& language, passage words, bool led) {
    if (words.empty()) return std::nullopt;
    return time_reader(language, words, led).parse();
}

} // namespace postrider::agent::language
