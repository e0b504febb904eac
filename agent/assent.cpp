#include "agent/assent.hpp"

#include "agent/words.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace postrider::agent {

namespace {

enum class part { yes, no, filler };

struct phrase {
    std::vector<std::string> words;
    part role = part::filler;
};

using phrase_book = std::unordered_map<std::string, std::vector<phrase>>; // by the first word

// An answer is short; what is longer says something else.
constexpr std::size_t most_words = 12;

// "yesss" is "yes".
std::string without_repeats(std::string_view text) {
    std::string result;
    for (char c : text)
        if (result.empty() || result.back() != c || static_cast<unsigned char>(c) >= 0x80)
            result += c;
    return result;
}

void add(phrase_book& book, std::string_view list, part role) {
    while (!list.empty()) {
        auto const end = std::min(list.find('|'), list.size());
        phrase added{{}, role};
        for (auto& read : words_of(list.substr(0, end)).words)
            added.words.push_back(without_repeats(read.text));
        if (!added.words.empty()) book[added.words.front()].push_back(std::move(added));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

phrase_book book_of(assent_words const& language) {
    phrase_book book;
    add(book, language.yes, part::yes);
    add(book, language.no, part::no);
    add(book, language.fillers, part::filler);
    for (auto& [first, phrases] : book)
        std::ranges::stable_sort(phrases, std::greater(), [](phrase const& p) {
            return p.words.size();
        });
    return book;
}

phrase const* phrase_at(phrase_book const& book, std::span<std::string const> rest) {
    auto const found = book.find(rest.front());
    if (found == book.end()) return nullptr;
    for (auto const& candidate : found->second)
        if (candidate.words.size() <= rest.size() &&
            std::ranges::equal(candidate.words, rest.first(candidate.words.size())))
            return &candidate;
    return nullptr;
}

assent read(phrase_book const& book, std::span<std::string const> words) {
    bool yes = false;
    bool no = false;
    while (!words.empty()) {
        auto const* found = phrase_at(book, words);
        if (!found) return assent::neither;
        yes |= found->role == part::yes;
        no |= found->role == part::no;
        words = words.subspan(found->words.size());
    }
    if (yes == no) return assent::neither;
    return yes ? assent::yes : assent::no;
}

assent decide(std::string_view message, std::span<phrase_book const> books) {
    auto const list = words_of(message);
    if (list.asks || list.words.empty() || list.words.size() > most_words) return assent::neither;
    std::vector<std::string> words;
    for (auto const& read : list.words) {
        if (read.quoted) return assent::neither;
        words.push_back(without_repeats(read.text));
    }
    // The same word may be a yes in one language and a no in another.
    auto answer = assent::neither;
    for (auto const& book : books) {
        auto const heard = read(book, words);
        if (heard == assent::neither) continue;
        if (answer != assent::neither && answer != heard) return assent::neither;
        answer = heard;
    }
    return answer;
}

std::vector<phrase_book> books_of(std::span<assent_words const> table) {
    std::vector<phrase_book> books;
    for (auto const& language : table) books.push_back(book_of(language));
    return books;
}

} // namespace

assent assent_of(std::string_view message) {
    static auto const books = books_of(assent_table());
    return decide(message, books);
}

assent assent_of(std::string_view message, std::span<assent_words const> table) {
    return decide(message, books_of(table));
}

} // namespace postrider::agent
