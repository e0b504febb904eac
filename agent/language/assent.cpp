#include "agent/language/assent.hpp"

#include "agent/language/lexicon.hpp"
#include "agent/language/words.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace postrider::agent {

namespace {

enum class part { yes, bare_yes, no, filler };

struct assent_phrase {
    std::vector<std::string> words;
    part role = part::filler;
};

struct phrase_book {
    std::string_view language;
    std::unordered_map<std::string, std::vector<assent_phrase>> phrases; // by the first word
    std::vector<std::vector<std::string>> idioms;
};

// An answer is short; what is longer says something else.
constexpr std::size_t most_assent_words = 12;

// "yesss" is "yes".
std::string without_repeats(std::string_view text) {
    std::string result;
    for (char c : text)
        if (result.empty() || result.back() != c || static_cast<unsigned char>(c) >= 0x80)
            result += c;
    return result;
}

// What is understood in every language: a message is read in one.
constexpr std::array<std::string_view, 9> any_yes{
    "ok", "okay", "okey", "👍", "👌", "✅", "✔", "💯", "🆗"};
constexpr std::array<std::string_view, 6> any_no{"👎", "❌", "🚫", "⛔", "🛑", "✖"};
constexpr std::array<std::string_view, 5> any_filler{"🙏", "🙂", "😊", "😀", "😄"};
constexpr std::array<std::string_view, 5> any_idiom{
    "ok ok", "okay okay", "okey okey", "ok okay", "okay ok"};

std::vector<std::string> assent_phrase_of(std::string_view text) {
    std::vector<std::string> words;
    for (auto& read_assent : words_of(text).words)
        words.push_back(without_repeats(read_assent.text));
    return words;
}

void add(phrase_book& book, auto const& list, part role) {
    for (auto const& text : list) {
        auto words = assent_phrase_of(text);
        if (words.empty()) continue;
        auto& same_beginning = book.phrases[words.front()];
        same_beginning.push_back({std::move(words), role});
    }
}

void add_idioms(phrase_book& book, auto const& list) {
    for (auto const& text : list) book.idioms.push_back(assent_phrase_of(text));
}

phrase_book book_of(language::lexicon const& language) {
    phrase_book book;
    book.language = language.code;
    auto const& words = language.assent;
    add(book, words.yes, part::yes);
    add(book, any_yes, part::yes);
    add(book, words.bare_yes, part::bare_yes);
    add(book, words.no, part::no);
    add(book, any_no, part::no);
    add(book, words.fillers, part::filler);
    add(book, any_filler, part::filler);
    add_idioms(book, words.idioms);
    add_idioms(book, any_idiom);
    for (auto& [first, phrases] : book.phrases)
        std::ranges::stable_sort(phrases, std::greater(), [](assent_phrase const& p) {
            return p.words.size();
        });
    return book;
}

assent_phrase const* phrase_at(phrase_book const& book, std::span<std::string const> rest) {
    auto const candidates = book.phrases.find(rest.front());
    if (candidates == book.phrases.end()) return nullptr;
    for (auto const& candidate : candidates->second)
        if (candidate.words.size() <= rest.size() &&
            std::ranges::equal(candidate.words, rest.first(candidate.words.size())))
            return &candidate;
    return nullptr;
}

// At any place: a phrase read before it may end within it ("да да ладно").
bool holds_idiom(phrase_book const& book, std::span<std::string const> words) {
    return std::ranges::any_of(book.idioms, [&](auto const& idiom) {
        // Not std::ranges::search: clang 14 does not take libstdc++'s.
        return std::search(words.begin(), words.end(), idiom.begin(), idiom.end()) != words.end();
    });
}

assent read_assent(phrase_book const& book, std::span<std::string const> words) {
    if (holds_idiom(book, words)) return assent::neither;
    bool yes = false;
    bool bare = false;
    bool no = false;
    bool filled = false;
    while (!words.empty()) {
        auto const* match = phrase_at(book, words);
        if (!match) return assent::neither;
        yes |= match->role == part::yes || match->role == part::bare_yes;
        bare |= match->role == part::bare_yes;
        no |= match->role == part::no;
        filled |= match->role == part::filler;
        words = words.subspan(match->words.size());
    }
    if (yes == no || (bare && filled)) return assent::neither;
    return yes ? assent::yes : assent::no;
}

// Empty: it is no answer, whatever the words say.
std::vector<std::string> answer_words(std::string_view message) {
    auto const list = words_of(message);
    if (list.asks || list.words.size() > most_assent_words) return {};
    std::vector<std::string> words;
    for (auto const& read : list.words) {
        if (read.quoted) return {};
        words.push_back(without_repeats(read.text));
    }
    return words;
}

assent decide(std::string_view message, std::span<phrase_book const> books) {
    auto const words = answer_words(message);
    // The same word may be a yes in one language and a no in another.
    auto answer = assent::neither;
    for (auto const& book : books) {
        auto const heard = read_assent(book, words);
        if (heard == assent::neither) continue;
        if (answer != assent::neither && answer != heard) return assent::neither;
        answer = heard;
    }
    return answer;
}

std::vector<phrase_book> books_of(std::span<language::lexicon const> languages) {
    std::vector<phrase_book> books;
    for (auto const& language : languages) books.push_back(book_of(language));
    return books;
}

std::span<phrase_book const> product_books() {
    static auto const books = books_of(language::lexicons());
    return books;
}

} // namespace

assent assent_of(std::string_view message) {
    return decide(message, product_books());
}

std::string_view assent_language_of(std::string_view message) {
    auto const words = answer_words(message);
    std::string_view language;
    for (auto const& book : product_books()) {
        if (read_assent(book, words) == assent::neither) continue;
        if (!language.empty()) return {};
        language = book.language;
    }
    return language;
}

assent assent_of(std::string_view message, std::span<language::lexicon const> languages) {
    return decide(message, books_of(languages));
}

} // namespace postrider::agent
