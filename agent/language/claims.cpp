#include "agent/language/claims.hpp"

#include "agent/language/claimed_clause.hpp"
#include "agent/language/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <utility>

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

// "two new tasks": 2; 0: no number is said.
std::size_t number_in(word_sequence const& words, claim_phrases const& of) {
    std::size_t largest = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        auto const rest = std::span(words).subspan(at);
        if (words[at] == "both") largest = std::max<std::size_t>(largest, 2);
        if (!begins_with_phrase(rest.subspan(1), of.several)) continue;
        for (auto const& count : of.counts)
            if (begins_with_phrase(rest.first(1), count.words))
                largest = std::max(largest, count.value);
    }
    return largest;
}

enum class line_kind : std::uint8_t {
    text,
    item, // "#3 Send updated contract", "• buy milk"
    story,
    numbered_story, // an item that speaks of the speaker: a title or a claim
    claim,          // in the words of the decision table; "#3 has been deleted" lists no task
};

line_kind kind_of(std::string_view line) {
    auto const text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    constexpr std::array<std::string_view, 4> bullets{"- ", "• ", "– ", "* "};
    bool const marked = text.starts_with('#');
    auto const begin = marked ? std::size_t{1} : std::size_t{0};
    auto const end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    bool const is_closed = end < text.size() && (text[end] == '.' || text[end] == ')');
    bool const numbered = end > begin && (marked || is_closed);
    bool const is_item = numbered || std::ranges::any_of(bullets, [&](auto bullet) {
                             return text.starts_with(bullet);
                         });
    if (!is_item) return line_kind::text;
    auto const words = sequence_of(text);
    auto const first = std::min(words.size(), numbered ? std::size_t{1} : std::size_t{0});
    auto const said = std::span(words).subspan(first);
    auto const begins = [&](auto member) {
        return std::ranges::any_of(claim_languages(), [&](claim_phrases const& of) {
            return begins_with_phrase(said, of.*member);
        });
    };
    if (begins(&claim_phrases::headings)) return line_kind::claim;
    if (marked && begins(&claim_phrases::list_verbs)) return line_kind::claim;
    if (!begins(&claim_phrases::speakers)) return line_kind::item;
    return numbered ? line_kind::numbered_story : line_kind::story;
}

// "Your tasks:"
bool heads_titles(std::string_view line) {
    auto const end = line.find_last_not_of(" \t\r*_");
    if (end == line.npos || line[end] != ':') return false;
    said_clause const clause{.words = sequence_of(line)};
    return std::ranges::any_of(claim_languages(), [&](claim_phrases const& of) {
        return clause_judge(clause, of, {}).heads_titles();
    });
}

// Where no change was asked for, items that tell a story are titles too: among others, or behind "your tasks:".
std::string without_lists(std::string_view text, claim_context const& context) {
    std::vector<std::pair<std::string_view, line_kind>> lines;
    while (!text.empty()) {
        auto const line = text.substr(0, text.find('\n'));
        lines.emplace_back(line, kind_of(line));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    bool const has_items =
        std::ranges::any_of(lines, [](auto const& line) { return line.second == line_kind::item; });
    bool under_heading = false;
    std::string result;
    for (auto const& [line, is] : lines) {
        if (is == line_kind::text) under_heading = heads_titles(line);
        bool const is_story = is == line_kind::story || is == line_kind::numbered_story;
        bool const is_among = has_items && is == line_kind::numbered_story;
        bool const is_title = is_story && context.asked.empty() && (under_heading || is_among);
        if (is != line_kind::item && !is_title) result += line;
        result += '\n';
    }
    return result;
}

class claim_reader {
public:
    claim_reader(std::string_view text, claim_phrases const& of, claim_context const& context)
        : text_(text),
          of_(of),
          context_(context) {
        for (auto const& task : context.tasks) {
            auto words = sequence_of(task.title);
            while (words.size() > 1 && begins_with_phrase(std::span(words).first(1), of.articles))
                words.erase(words.begin());
            titles_known_.push_back(std::move(words));
        }
    }

    change_claims claims() {
        auto const list = words_of(text_);
        word_sequence words;
        for (auto const& word : list.words) words.push_back(word.text);
        for (std::size_t at = 0; at < words.size();) {
            begin_word(list.words[at], at > 0 ? list.words[at - 1].end : 0);
            auto const masked = take_titles(std::span(words).subspan(at));
            if (masked == 0) take(list.words[at]);
            at += std::max(masked, std::size_t{1});
        }
        end_clause();
        end_sentence(list.end);
        return std::move(found_);
    }

private:
    void begin_word(word const& read, std::size_t behind) {
        bool const is_number = read.before == gap::soft && is_marked(read); // "deleted #3"
        auto const between = text_.substr(behind, read.begin - behind);
        bool const is_colon = between.find(':') != between.npos;
        if (read.before != gap::none && !is_number) end_clause(is_colon);
        if (read.before != gap::stop && read.before != gap::question) return;
        said_clause const last = std::move(clause_);
        end_sentence(read.before);
        // A colon that ends its line, and the lines of what it heads.
        auto const line = between.find('\n');
        bool const is_next_line = line != between.npos && line == between.rfind('\n') &&
                                  between.find_first_of(".!?;") == between.npos;
        clause_.listed = last.listed && (is_colon || is_next_line);
        clause_.cited = last.cited && is_colon;
    }
    bool is_marked(word const& read) const {
        return read.begin > 0 && text_[read.begin - 1] == '#';
    }

    // How many words claim nothing, since they are of a title. A title of one word is no mask.
    std::size_t take_titles(clause_part words) {
        std::size_t masked = 0;
        for (std::size_t i = 0; i < titles_known_.size(); ++i) {
            auto const& title = titles_known_[i];
            if (title.empty() || title.size() > words.size()) continue;
            if (!std::ranges::equal(title, words.first(title.size()))) continue;
            clause_.known.push_back(context_.tasks[i]);
            if (title.size() > 1) masked = std::max(masked, title.size());
        }
        return masked;
    }

    void take(word const& read) {
        if (read.quoted) { // a title is no claim
            auto const title = text_.substr(read.begin, read.end - read.begin);
            take_titles(sequence_of(title));
            titles_.emplace_back(title);
            clause_.words.emplace_back();
            return;
        }
        take_task(read);
        clause_.words.push_back(read.text);
    }

    void take_task(word const& read) {
        bool const named = read.before == gap::none && !clause_.words.empty() &&
                           begins_with_phrase(std::span(clause_.words).last(1), of_.tasks);
        if (!is_marked(read) && !named) return;
        std::int64_t number = 0;
        auto const* const end = read.text.data() + read.text.size();
        auto const [stop, failure] = std::from_chars(read.text.data(), end, number);
        if (failure == std::errc() && stop == end) clause_.ids.push_back(task_id{number});
    }

    void end_clause(bool is_colon = false) {
        clause_judge const judge(clause_, of_, context_);
        for (auto const change : judge.claimed()) {
            auto& number = sentence_[change];
            number = std::max(number, number_in(clause_.words, of_));
        }
        vague_ |= judge.is_vague();
        std::ranges::copy(clause_.ids, std::back_inserter(tasks_));
        said_clause const next{
            .general = clause_.general || begins_with_phrase(clause_.words, of_.general),
            .denied = judge.denies(),
            .listed = clause_.listed || (is_colon && sentence_.empty() && judge.heads_titles()),
            .cited = clause_.cited || (is_colon && judge.cites())};
        clause_ = next;
    }
    void end_sentence(gap separator) {
        if (separator != gap::question) take_sentence();
        sentence_.clear();
        titles_.clear();
        tasks_.clear();
        vague_ = false;
        clause_ = {};
    }
    void take_sentence() {
        found_.vague |= vague_;
        for (auto const& [claimed, number] : sentence_) {
            found_.kinds.insert(claimed);
            auto& most = found_.numbers[claimed];
            most = std::max(most, number);
        }
        if (sentence_.empty()) return;
        std::ranges::copy(tasks_, std::back_inserter(found_.tasks));
        if (!sentence_.contains(kind::update))
            std::ranges::move(titles_, std::back_inserter(found_.titles));
    }

    std::string_view text_;
    claim_phrases const& of_;
    claim_context const& context_;
    std::vector<word_sequence> titles_known_; // in the order of the context's tasks
    said_clause clause_;
    std::map<kind, std::size_t> sentence_; // what it claims, and of how many tasks
    std::vector<std::string> titles_;
    std::vector<task_id> tasks_;
    bool vague_ = false;
    change_claims found_;
};

} // namespace

change_claims claims_in(std::string_view said, claim_context const& context) {
    auto const text = without_lists(said, context);
    change_claims claims;
    // A clause is of one language: the Spanish "he" is no speaker in English.
    for (auto const& of : claim_languages()) {
        auto in_language = claim_reader(text, of, context).claims();
        claims.kinds.merge(in_language.kinds);
        for (auto const& [change, number] : in_language.numbers)
            claims.numbers[change] = std::max(claims.numbers[change], number);
        std::ranges::move(in_language.titles, std::back_inserter(claims.titles));
        std::ranges::move(in_language.tasks, std::back_inserter(claims.tasks));
        claims.vague |= in_language.vague;
    }
    return claims;
}

bool may_ask_for_work(std::string_view message, std::string_view title) {
    auto const words = sequence_of(message);
    auto const named = sequence_of(title);
    return !speaks_of_tasks(message) &&
           std::ranges::any_of(claim_languages(), [&](claim_phrases const& of) {
               return holds_phrase(words, of.makers) &&
                      (named.empty() || begins_with_phrase(named, of.articles) ||
                       begins_with_phrase(named, of.pronouns));
           });
}

bool speaks_of_tasks(std::string_view message) {
    auto const words = sequence_of(message);
    return std::ranges::any_of(claim_languages(), [&](claim_phrases const& of) {
        return holds_phrase(words, of.tasks) || holds_phrase(words, of.asked_list);
    });
}

bool asks_back(std::string_view text) {
    auto const list = words_of(text);
    if (!list.asks) return false;
    auto const words = sequence_of(text);
    return std::ranges::none_of(claim_languages(), [&](claim_phrases const& of) {
        return holds_phrase(words, of.further);
    });
}

} // namespace postrider::agent::language
