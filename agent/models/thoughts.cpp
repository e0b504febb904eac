#include "agent/models/thoughts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace postrider::agent::wire {

namespace {

struct thought_tag {
    std::string_view opening;
    std::string_view closing;
};

constexpr std::array thought_tags{
    thought_tag{"<think>", "</think>"},
    thought_tag{"<thinking>", "</thinking>"},
    thought_tag{"<thought>", "</thought>"},
    thought_tag{"<reasoning>", "</reasoning>"},
    thought_tag{"<seed:think>", "</seed:think>"},
    thought_tag{"[THINK]", "[/THINK]"}};

constexpr std::string_view blanks = " \t\r\n";

std::size_t first_word(std::string_view text) {
    return std::min(text.find_first_not_of(blanks), text.size());
}

// The end of the first line that is the tag alone; npos = there is none.
std::size_t end_of_line_of(std::string_view text, std::string_view tag) {
    for (auto at = text.find(tag); at != text.npos; at = text.find(tag, at + 1)) {
        auto const end = at + tag.size();
        bool const begins = at == 0 || text[at - 1] == '\n';
        bool const ends = end == text.size() || text[end] == '\n' || text[end] == '\r';
        if (begins && ends) return end;
    }
    return text.npos;
}

} // namespace

std::string thought_filter::pass(std::string_view piece) {
    if (answers_) return std::string(piece);
    unread_ += piece;
    for (;;) {
        std::string_view const text = unread_;
        if (!closing_.empty()) {
            auto const end = text.find(closing_);
            if (end == text.npos) { // all but what may be the beginning of the tag
                unread_.erase(0, text.size() - std::min(text.size(), closing_.size() - 1));
                return {};
            }
            unread_.erase(0, end + closing_.size());
            closing_ = {};
            continue;
        }
        auto const begin = first_word(text);
        auto const words = text.substr(begin);
        auto const opened = std::ranges::find_if(thought_tags, [&](thought_tag const& tag) {
            return words.starts_with(tag.opening);
        });
        if (opened != thought_tags.end()) {
            closing_ = opened->closing;
            has_dropped_ = true;
            unread_.erase(0, begin + opened->opening.size());
            continue;
        }
        bool const may_open = std::ranges::any_of(thought_tags, [&](thought_tag const& tag) {
            return tag.opening.starts_with(words);
        });
        if (may_open) return {};
        answers_ = true;
        return finish();
    }
}

std::string thought_filter::finish() {
    if (!closing_.empty()) return {};
    if (has_dropped_) unread_.erase(0, first_word(unread_));
    return std::exchange(unread_, {});
}

std::string without_thoughts(std::string_view text) {
    thought_filter filter;
    auto answer = filter.pass(text);
    answer += filter.finish();
    if (answer.size() != text.size()) return answer;
    for (auto const& tag : thought_tags) {
        auto const end = end_of_line_of(text, tag.closing);
        if (end == text.npos || text.substr(0, end).find(tag.opening) != text.npos) continue;
        auto const rest = text.substr(end);
        return std::string(rest.substr(first_word(rest)));
    }
    return answer;
}

} // namespace postrider::agent::wire
