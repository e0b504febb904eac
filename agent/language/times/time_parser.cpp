#include "agent/language/times/time_reader.hpp"

namespace postrider::agent::language {

std::optional<time_parts> parse_time(compiled_language const& language, passage words, bool led) {
    if (words.empty()) return std::nullopt;
    return time_reader(language, words, led).parse();
}

} // namespace postrider::agent::language
