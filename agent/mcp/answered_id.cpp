#include "agent/mcp/answered_id.hpp"

#include <algorithm>

namespace postrider::agent::mcp {

namespace {

constexpr std::string_view blanks = " \t\r\n";

// Behind the string that begins here.
std::size_t end_of_string(std::string_view line, std::size_t begin) {
    for (auto at = begin + 1; at < line.size(); ++at) {
        if (line[at] == '\\')
            ++at;
        else if (line[at] == '"')
            return at + 1;
    }
    return line.size();
}

std::optional<request_id> id_at(std::string_view line, std::size_t begin) {
    auto const end = line[begin] == '"' ? end_of_string(line, begin)
                                        : std::min(line.find_first_of(",}", begin), line.size());
    auto const value = base::parse_json(line.substr(begin, end - begin));
    return value ? read_answered_id(*value) : std::nullopt;
}

struct shown_answer {
    std::optional<request_id> id;
};

// Nothing: it does not look like one.
std::optional<shown_answer> read_shown(std::string_view line) {
    // A log line that quotes an answer is none.
    if (auto const begin = line.find_first_not_of(blanks); begin == line.npos || line[begin] != '{')
        return std::nullopt;
    shown_answer answer;
    bool answers = false;
    std::size_t depth = 0;
    for (std::size_t at = 0; at < line.size();) {
        auto const c = line[at];
        if (c == '{' || c == '[') ++depth;
        if ((c == '}' || c == ']') && depth > 0) --depth;
        if (c != '"') {
            ++at;
            continue;
        }
        auto const begin = at;
        at = end_of_string(line, begin);
        auto const colon = line.find_first_not_of(blanks, at);
        if (depth != 1 || colon == line.npos || line[colon] != ':') continue;
        auto const name = line.substr(begin, at - begin);
        if (name == R"("method")") return std::nullopt;
        if (name == R"("result")" || name == R"("error")") answers = true;
        auto const value = line.find_first_not_of(blanks, colon + 1);
        if (name == R"("id")" && value != line.npos) answer.id = id_at(line, value);
    }
    if (!answers) return std::nullopt;
    return answer;
}

} // namespace

std::optional<request_id> answered_id(std::string_view line) {
    auto shown = read_shown(line);
    return shown ? std::move(shown->id) : std::nullopt;
}

bool is_answer(std::string_view line) {
    return read_shown(line).has_value();
}

} // namespace postrider::agent::mcp
