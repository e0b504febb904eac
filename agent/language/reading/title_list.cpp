#include "agent/language/reading/title_list.hpp"

#include "agent/language/reading/sentence_reader.hpp"
#include "agent/language/reading/sentences.hpp"
#include "agent/language/reading/title.hpp"
#include "agent/language/reference.hpp"

#include <array>

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

constexpr std::size_t fewest_titles = 2;
constexpr std::size_t most_titles = 20;
constexpr std::size_t longest_head = 12; // words

bool holds(std::string_view text, std::string_view characters) {
    return text.find_first_of(characters) != text.npos;
}

// "\n- "
bool begins_item(std::string_view between) {
    constexpr std::array<std::string_view, 4> bullets{"-", "–", "—", "•"};
    auto const line = between.rfind('\n');
    if (line == between.npos || !between.ends_with(' ')) return false;
    auto const first = between.find_first_not_of(" \t", line + 1);
    if (first == between.npos) return false;
    return std::ranges::any_of(bullets, [&](auto bullet) {
        return between.substr(first).starts_with(bullet);
    });
}

// "1. milk", "2) eggs"
bool begins_with_number(passage line) {
    if (line.size() < 2 || line[0].quoted) return false;
    if (line[0].text.find_first_not_of("0123456789") != std::string::npos) return false;
    auto const behind = line.between(1);
    return behind.starts_with(". ") || behind.starts_with(") ");
}

// How many words stand before the colon; 0: there is none.
std::size_t head_size(passage message) {
    for (std::size_t at = 1; at < std::min(message.size(), longest_head); ++at) {
        if (message.between(at).find(':') != std::string_view::npos) return at;
        if (message[at].before >= gap::stop) return 0;
    }
    return 0;
}

class list_reader {
public:
    list_reader(vocabulary const& words, compiled_language const& language, wall_clock const& clock)
        : vocabulary_(words),
          language_(language),
          clock_(clock) {}

    std::vector<intent> read(passage head, passage body) const {
        head = without_courtesy(language_, head);
        auto const match = best_match(language_, head);
        if (!match || !match->matched->source->heads_titles) return {};
        bool const lines = body.between(0).find('\n') != std::string_view::npos;
        // "todo: call Ann; she is ill" is one title.
        if (match->matched->source->colon && !lines) return {};
        auto items = lines ? lines_of(body) : parts_of(body);
        if (items.size() == 1 && !lines) items = pieces_of(items.front(), count_in(head));
        if (items.size() < fewest_titles || items.size() > most_titles) return {};
        items.back() = without_thanks(items.back());
        std::vector<intent> created;
        for (auto const& item : items) {
            // Where nothing but a sign divides them, a request may follow the titles.
            if (!lines && is_request(item)) return {};
            auto& intent = created.emplace_back();
            intent.action = kind::create;
            read_title(language_, item, clock_, intent);
            // "1. one thing": a line of several words is a title, whatever they are.
            bool const undated = !intent.due && !intent.due_passed;
            if (lines && undated && intent.title.empty() && item.size() > 1)
                intent.title = item.text();
            if (intent.title.empty() || language_.retractions.contains_any(item.numbers()))
                return {};
        }
        return created;
    }

private:
    passage without_thanks(passage words) const {
        words = words.without_last(language_.closings.at_end(words.numbers()).words);
        auto const after = language_.afterthoughts.at_end(words.numbers()).words;
        bool const set_off =
            after > 0 && after < words.size() && words[words.size() - after].before >= gap::soft;
        return set_off ? words.without_last(after) : words;
    }

    // "two": 2; 0: no number is said.
    std::size_t count_in(passage head) const {
        for (std::size_t at = 0; at < head.size(); ++at)
            if (auto const number = number_of(language_, head.part(at, at + 1)))
                return static_cast<std::size_t>(*number);
        return 0;
    }

    // Nothing: a line has neither a dash nor a number before it.
    static std::vector<passage> lines_of(passage body) {
        std::vector<passage> items;
        std::size_t begin = 0;
        for (std::size_t at = 1; at <= body.size(); ++at) {
            if (at < body.size() && body.between(at).find('\n') == std::string_view::npos) continue;
            auto const line = body.part(begin, at);
            bool const numbered = begins_with_number(line);
            if (!numbered && !begins_item(line.between(0))) return {};
            items.push_back(line.without_first(numbered ? 1 : 0));
            begin = at;
        }
        return items;
    }

    // Nothing: a sentence ends among them.
    static std::vector<passage> parts_of(passage body) {
        std::vector<passage> items;
        std::size_t begin = 0;
        for (std::size_t at = 1; at < body.size(); ++at) {
            if (body[at].before < gap::stop) continue;
            if (body[at].before == gap::question || !holds(body.between(at), ";\n")) return {};
            items.push_back(body.part(begin, at));
            begin = at;
        }
        items.push_back(body.part(begin, body.size()));
        return items;
    }

    // As many as were announced, divided by commas and conjunctions.
    std::vector<passage> pieces_of(passage words, std::size_t count) const {
        std::vector<passage> pieces;
        std::size_t begin = 0;
        for (std::size_t at = 1; at < words.size() && pieces.size() <= count;) {
            auto const joined =
                language_.conjunctions.at_begin(words.part(at, words.size()).numbers()).words;
            if (joined == 0 && words[at].before != gap::comma) {
                ++at;
                continue;
            }
            pieces.push_back(words.part(begin, at));
            begin = at + joined;
            at = begin + 1;
        }
        if (begin >= words.size()) return {};
        pieces.push_back(words.part(begin, words.size()));
        if (pieces.size() != count) return {};
        return pieces;
    }

    // Beyond doubt: "delete task 3", "show my list".
    bool is_request(passage item) const {
        auto const clauses = read_sentence(vocabulary_, {item, false}, clock_);
        return std::ranges::any_of(clauses, [](clause const& c) {
            auto const& intent = c.intents.front();
            using by = task_reference::kind;
            return intent.task.by == by::id || intent.task.by == by::position ||
                   intent.task.by == by::from_end || intent.action == kind::list ||
                   intent.action == kind::create || intent.action == kind::thanks;
        });
    }

    vocabulary const& vocabulary_;
    compiled_language const& language_;
    wall_clock const& clock_;
};

} // namespace

std::optional<title_list> read_title_list(
    vocabulary const& words, passage message, wall_clock const& clock
) {
    auto const head = head_size(message);
    if (head == 0) return std::nullopt;
    for (auto const& language : words.languages()) {
        list_reader const reader(words, language, clock);
        auto intents = reader.read(message.part(0, head), message.part(head, message.size()));
        if (!intents.empty()) return title_list{&language, std::move(intents)};
    }
    return std::nullopt;
}

} // namespace postrider::agent::language
