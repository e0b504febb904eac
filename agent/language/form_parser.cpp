#include "agent/language/form_parser.hpp"

#include <algorithm>
#include <stdexcept>

namespace postrider::agent::language {

namespace {

[[noreturn]] void refuse(std::string_view text) {
    throw std::logic_error("not a form: " + std::string(text));
}

slot slot_named(std::string_view name, std::string_view text) {
    if (name == "title") return slot::title;
    if (name == "task") return slot::task;
    if (name == "search") return slot::search;
    if (name == "time") return slot::time;
    if (name == "verb") return slot::verb;
    if (name == "priority") return slot::priority;
    if (name == "level") return slot::level;
    refuse(text);
}

std::vector<word_numbers> alternatives_of(std::string_view list, word_table& table) {
    std::vector<word_numbers> alternatives;
    while (!list.empty()) {
        auto const end = std::min(list.find('|'), list.size());
        if (auto words = table.add_all(list.substr(0, end)); !words.empty())
            alternatives.push_back(std::move(words));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return alternatives;
}

} // namespace

std::vector<element> parse_form(std::string_view text, word_table& table) {
    std::vector<element> elements;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        auto const bracket = std::string_view("<[(").find(text[at]);
        auto const end = bracket == std::string_view::npos
                             ? std::min(text.find_first_of(" <[(", at), text.size())
                             : text.find(">])"[bracket], at);
        if (end == text.npos) refuse(text);
        element part;
        if (bracket == std::string_view::npos) {
            for (auto number : table.add_all(text.substr(at, end - at)))
                elements.push_back({std::nullopt, false, {{number}}});
            at = end;
            continue;
        }
        auto const inside = text.substr(at + 1, end - at - 1);
        if (bracket == 0) part.takes = slot_named(inside, text);
        if (bracket > 0) part.alternatives = alternatives_of(inside, table);
        part.optional = bracket == 1;
        elements.push_back(std::move(part));
        at = end + 1;
    }
    auto const required = [](element const& part) {
        return !part.optional && (!part.takes || part.takes == slot::priority);
    };
    if (std::ranges::none_of(elements, required)) refuse(text);
    return elements;
}

void for_each_word(std::string_view text, std::function<void(std::string const&)> const& visit) {
    std::string plain;
    bool inside_slot = false;
    for (char c : text) {
        inside_slot = c == '<' || (inside_slot && c != '>');
        plain +=
            inside_slot || std::string_view("<>[]()|").find(c) != std::string_view::npos ? ' ' : c;
    }
    for (auto const& read : words_of(plain).words) visit(read.text);
}

} // namespace postrider::agent::language
