#include "agent/spam/message.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

bool ends_address(char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '<' || c == '>' || c == '"' || c == ')';
}

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "example.org/path" and "t.me/name": a Latin name with a dot, and a path.
bool is_bare_address(std::string_view word) {
    auto const host = word.substr(0, word.find('/'));
    if (host.size() == word.size() || host.size() < 4) return false;
    auto const dot = host.rfind('.');
    if (dot == host.npos || dot == 0 || host.size() - dot < 3) return false;
    return std::ranges::all_of(host, [](char c) {
        return is_name_character(c) || c == '.' || c == '-';
    });
}

bool is_address(std::string_view word) {
    auto const begins = [&](std::string_view prefix) {
        return word.size() > prefix.size() &&
               base::equals_without_case(word.substr(0, prefix.size()), prefix);
    };
    return begins("http://") || begins("https://") || begins("tg://") || begins("www.") ||
           is_bare_address(word);
}

// "@name" of five characters or more, as Telegram's are.
std::string_view mention_at(std::string_view text, std::size_t at) {
    if (text[at] != '@' || (at > 0 && is_name_character(text[at - 1]))) return {};
    auto end = at + 1;
    while (end < text.size() && is_name_character(text[end])) ++end;
    constexpr std::size_t shortest = 5;
    return end - at > shortest ? text.substr(at + 1, end - at - 1) : std::string_view();
}

} // namespace

message message_of(std::string_view text) {
    message message;
    message.text = text;
    for (std::size_t at = 0; at < text.size();) {
        auto end = at;
        while (end < text.size() && !ends_address(text[end])) ++end;
        if (auto const word = text.substr(at, end - at); is_address(word))
            message.links.emplace_back(word);
        at = end + 1;
    }
    for (std::size_t at = 0; at < text.size(); ++at)
        if (auto const name = mention_at(text, at); !name.empty())
            message.mentions.emplace_back(name);
    return message;
}

} // namespace postrider::agent::spam
