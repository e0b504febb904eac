#include "agent/models/thoughts.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace postrider::agent::wire {

namespace {

// In lower case: models write them in any.
struct thought_tag {
    std::string_view opening;
    std::string_view closing;         // "": the opening is but a header of the answer
    std::string_view header_end = {}; // the closing begins the answer's header, which ends so
};

constexpr std::string_view header_mark = "<|message|>";
constexpr std::string_view final_channel = "<|channel|>final";

constexpr std::array thought_tags{
    thought_tag{"<think>", "</think>"},
    thought_tag{"<thinking>", "</thinking>"},
    thought_tag{"<thought>", "</thought>"},
    thought_tag{"<thoughts>", "</thoughts>"},
    thought_tag{"<reasoning>", "</reasoning>"},
    thought_tag{"<seed:think>", "</seed:think>"},
    thought_tag{"[think]", "[/think]"},
    thought_tag{"◁think▷", "◁/think▷"},
    thought_tag{"<|start_thinking|>", "<|end_thinking|>"},
    thought_tag{"<|start_response|>", ""},
    // The channels of gpt-oss.
    thought_tag{"<|start|>assistant", ""},
    thought_tag{"<|channel|>analysis", final_channel, header_mark},
    thought_tag{"<|channel|>commentary", final_channel, header_mark},
    thought_tag{final_channel, header_mark}};

// Behind an answer that has a header, if anything.
constexpr std::array<std::string_view, 3> last_marks{"<|end|>", "<|return|>", "<|end_response|>"};

constexpr std::string_view blanks = " \t\r\n";

std::size_t first_word(std::string_view text) {
    return std::min(text.find_first_not_of(blanks), text.size());
}

std::string_view without_blanks_behind(std::string_view text) {
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Where the end of the text may be the beginning of a last mark, or is one.
std::size_t last_mark_in(std::string_view text) {
    auto const at = text.rfind('<');
    if (at == text.npos) return text.size();
    auto const mark = base::to_lower(std::string(without_blanks_behind(text.substr(at))));
    bool const may_be = std::ranges::any_of(last_marks, [&](auto last_mark) {
        return last_mark.starts_with(mark);
    });
    return may_be ? at : text.size();
}

bool is_last_mark(std::string_view text) {
    auto const mark = base::to_lower(std::string(without_blanks_behind(text)));
    return std::ranges::find(last_marks, mark) != last_marks.end();
}

bool ends_sentence(std::string_view line) {
    constexpr std::array<std::string_view, 7> ends{".", "!", "?", "…", "。", "！", "？"};
    auto const words = without_blanks_behind(line);
    bool const has_words =
        std::ranges::any_of(words, [](unsigned char c) { return std::isalpha(c) || c >= 0x80; });
    return has_words && std::ranges::any_of(ends, [&](auto end) { return words.ends_with(end); });
}

bool is_in_code(std::string_view before, std::string_view line) {
    constexpr std::string_view fence = "```";
    bool is_fenced = false;
    for (auto at = before.find(fence); at != before.npos;
         at = before.find(fence, at + fence.size()))
        is_fenced = !is_fenced;
    return is_fenced || std::ranges::count(line, '`') % 2 != 0;
}

bool is_bracketed(std::string_view before, std::string_view after) {
    constexpr std::array<std::string_view, 7> left_marks{"(", "[", "{", "“", "‘", "„", "«"};
    if (std::ranges::any_of(left_marks, [&](auto mark) { return before.ends_with(mark); }))
        return true;
    bool const is_quote = before.ends_with('"') || before.ends_with('\'');
    return is_quote && after.starts_with(before.back());
}

// Whether a closing tag ends thoughts there, rather than is spoken of: within code or quotation marks, before
// a comma, or as a word of a sentence.
bool ends_thoughts(std::string_view before, std::string_view after) {
    auto const line = before.substr(before.find_last_of('\n') + 1);
    if (is_in_code(before, line) || is_bracketed(line, after)) return false;
    if (!after.empty() && std::string_view(".,;:!?)]}").find(after.front()) != after.npos)
        return false;
    bool const begins_line = line.find_first_not_of(blanks) == line.npos;
    if (!begins_line && blanks.find(line.back()) == blanks.npos) return true;
    bool const goes_on =
        after.size() > 1 && after[0] == ' ' && std::islower(static_cast<unsigned char>(after[1]));
    return !goes_on && (begins_line || ends_sentence(line));
}

// What ends_thoughts() looks at behind a tag.
constexpr std::size_t looked_at_behind = 2;

bool may_be_unopened(thought_tag const& tag) {
    return !tag.closing.empty() && tag.closing != header_mark;
}

bool has_closing_tag(std::string_view text) {
    auto const lower = base::to_lower(std::string(text));
    return std::ranges::any_of(thought_tags, [&](thought_tag const& tag) {
        return may_be_unopened(tag) && lower.find(tag.closing) != lower.npos;
    });
}

std::size_t longest_closing_tag() {
    std::size_t longest = 0;
    for (auto const& tag : thought_tags) longest = std::max(longest, tag.closing.size());
    return longest;
}

// The answer behind thoughts whose opening tag the template wrote; npos = there are none. A tag with
// less than so many bytes behind it is not judged.
std::size_t end_of_unopened(
    std::string_view text, thought_tag const& tag, std::size_t least_behind = 0
) {
    auto const lower = base::to_lower(std::string(text));
    auto const opened = lower.find(tag.opening);
    for (auto at = lower.find(tag.closing); at < opened; at = lower.find(tag.closing, at + 1)) {
        auto const end = at + tag.closing.size();
        if (text.size() - end >= least_behind &&
            ends_thoughts(text.substr(0, at), text.substr(end)))
            return tag.header_end.empty() ? end : at;
    }
    return text.npos;
}

} // namespace

std::string thought_filter::pass(std::string_view piece) {
    if (answers_ && !has_header_) return show(std::string(piece));
    unread_ += piece;
    while (!answers_) {
        auto const text = base::to_lower(unread_);
        if (!closing_.empty()) {
            auto const end = text.find(closing_);
            if (end == text.npos) { // all but what may be the beginning of the tag
                unread_.erase(0, text.size() - std::min(text.size(), closing_.size() - 1));
                return {};
            }
            unread_.erase(0, end + closing_.size());
            closing_ = std::exchange(header_end_, {});
            continue;
        }
        auto const begin = first_word(text);
        auto const words = std::string_view(text).substr(begin);
        auto const opened = std::ranges::find_if(thought_tags, [&](thought_tag const& tag) {
            return words.starts_with(tag.opening);
        });
        if (opened != thought_tags.end()) {
            closing_ = opened->closing;
            header_end_ = opened->header_end;
            has_dropped_ = true;
            has_header_ = has_header_ || opened->opening.starts_with("<|");
            unread_.erase(0, begin + opened->opening.size());
            continue;
        }
        bool const may_open = std::ranges::any_of(thought_tags, [&](thought_tag const& tag) {
            return tag.opening.starts_with(words);
        });
        if (may_open) return {};
        answers_ = true;
        if (has_dropped_) unread_.erase(0, begin);
    }
    if (!has_header_) return show(std::exchange(unread_, {}));
    auto const kept = last_mark_in(unread_);
    auto answer = unread_.substr(0, kept);
    unread_.erase(0, kept);
    return answer;
}

// A tag that has just come, and what stands behind it, are in the last bytes.
std::string thought_filter::show(std::string text) {
    if (has_dropped_) return text;
    static auto const looked_at = longest_closing_tag() + looked_at_behind;
    auto const begin = shown_.size() - std::min(shown_.size(), looked_at);
    shown_ += text;
    if (!has_closing_tag(std::string_view(shown_).substr(begin))) return text;
    for (auto const& tag : thought_tags) {
        if (!may_be_unopened(tag)) continue;
        auto const end = end_of_unopened(shown_, tag, looked_at_behind);
        if (end == shown_.npos) continue;
        auto const answer = shown_.substr(end);
        *this = {};
        has_dropped_ = takes_back_ = true;
        return pass(answer);
    }
    return text;
}

std::string thought_filter::finish() {
    if (!closing_.empty() || (has_header_ && is_last_mark(unread_))) return {};
    if (has_dropped_ && !answers_) unread_.erase(0, first_word(unread_));
    return std::exchange(unread_, {});
}

std::string without_thoughts(std::string_view text) {
    auto const answer_in = [](std::string_view whole) {
        thought_filter filter;
        auto answer = filter.pass(whole);
        return answer += filter.finish();
    };
    auto answer = answer_in(text);
    if (answer.size() != text.size()) return answer;
    for (auto const& tag : thought_tags) {
        if (!may_be_unopened(tag)) continue;
        auto const end = end_of_unopened(text, tag);
        if (end == text.npos) continue;
        auto const rest = text.substr(end);
        return answer_in(rest.substr(first_word(rest)));
    }
    return answer;
}

} // namespace postrider::agent::wire
