#include "agent/language/passage.hpp"

#include "agent/language/unicode.hpp"

namespace postrider::agent::language {

namespace {

constexpr std::string_view ends_a_title = " \t\r\n.,;:!?-([{<#";

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [&](auto ending) { return text.ends_with(ending); });
}

std::string_view trimmed_end(std::string_view text) {
    for (;;) {
        text = expressions::without_space(text);
        if (!text.empty() && ends_a_title.find(text.back()) != ends_a_title.npos) {
            text.remove_suffix(1);
        } else if (ends_with_any(text, {"؟", "۔", "،"})) {
            text.remove_suffix(2);
        } else if (ends_with_any(text, {"…", "“", "„", "–", "—", "•", "¿", "¡"})) {
            text.remove_suffix(text.ends_with("¿") || text.ends_with("¡") ? 2 : 3);
        } else {
            return text;
        }
    }
}

} // namespace

std::string passage::text() const {
    if (empty()) return {};
    auto const& first = words_[begin_];
    if (size() == 1 && first.quoted)
        return std::string(
            expressions::without_space(message_.substr(first.begin, first.end - first.begin))
        );
    constexpr std::string_view stops = " \t\r\n:,;.!?";
    auto text_begin = first.begin;
    auto const least = begin_ > 0 ? words_[begin_ - 1].end : 0;
    while (text_begin > least && stops.find(message_[text_begin - 1]) == stops.npos) --text_begin;
    // What joins it to the word before, an apostrophe or a quotation mark, is not this text's.
    if (begin_ > 0 && text_begin == least) text_begin = first.begin;
    auto const text_end = end_ < words_.size() ? words_[end_].begin : message_.size();
    return std::string(trimmed_end(message_.substr(text_begin, text_end - text_begin)));
}

} // namespace postrider::agent::language
