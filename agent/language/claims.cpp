#include "agent/language/claims.hpp"

#include "agent/language/lexicon.hpp"
#include "agent/language/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

// What each change is claimed by, in the order of their words in a language.
constexpr std::array claimed_kinds{kind::create, kind::update, kind::complete, kind::remove};

using phrase = std::vector<std::string>;

void add_phrases(std::vector<phrase>& all, phrases const& list) {
    for (auto const& text : list) {
        auto& added = all.emplace_back();
        for (auto& read : words_of(text).words) added.push_back(std::move(read.text));
    }
}

// Where the first of the phrases begins; words.size(): none is there.
std::size_t first_of(phrase const& words, std::vector<phrase> const& sought) {
    auto first = words.end();
    for (auto const& part : sought)
        if (!part.empty())
            first =
                std::min(first, std::search(words.begin(), words.end(), part.begin(), part.end()));
    return static_cast<std::size_t>(first - words.begin());
}

bool begins_with(std::span<std::string const> words, std::vector<phrase> const& sought) {
    return std::ranges::any_of(sought, [&](phrase const& part) {
        return part.size() <= words.size() && std::ranges::equal(part, words.first(part.size()));
    });
}

struct counted_words {
    std::size_t value = 0;
    std::vector<phrase> words;
};

// Of all languages.
struct compiled_words {
    std::array<std::vector<phrase>, claimed_kinds.size()> claimed;
    std::vector<counted_words> counts;
    std::vector<phrase> hedging, vague, further, several, speaker, other_person, passive,
        other_time, earlier, participle, verb_mark, task_name, heading, list_verb;

    compiled_words() {
        for (auto const& language : lexicons()) add(language.claims);
    }

private:
    void add(claim_words const& words) {
        std::array const lists{&words.created, &words.updated, &words.completed, &words.removed};
        for (std::size_t i = 0; i < lists.size(); ++i) add_phrases(claimed[i], *lists[i]);
        for (auto const& count : words.counts) {
            auto& added =
                counts.emplace_back(counted_words{static_cast<std::size_t>(count.value), {}});
            add_phrases(added.words, count.words);
        }
        add_phrases(hedging, words.hedges);
        add_phrases(vague, words.vague);
        add_phrases(further, words.further);
        add_phrases(several, words.several);
        add_phrases(speaker, words.speakers);
        add_phrases(other_person, words.other_people);
        add_phrases(passive, words.passives);
        add_phrases(other_time, words.other_times);
        add_phrases(earlier, words.earlier);
        add_phrases(participle, words.participles);
        add_phrases(verb_mark, words.verb_marks);
        add_phrases(task_name, words.tasks);
        add_phrases(heading, words.headings);
        add_phrases(list_verb, words.list_verbs);
    }
};

compiled_words const& compiled() {
    static compiled_words const instance;
    return instance;
}

// "two new tasks": 2; 0: no number is said.
std::size_t number_in(phrase const& words) {
    std::size_t largest = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        auto const rest = std::span(words).subspan(at);
        if (words[at] == "both") largest = std::max<std::size_t>(largest, 2);
        if (!begins_with(rest.subspan(1), compiled().several)) continue;
        for (auto const& count : compiled().counts)
            if (begins_with(rest.first(1), count.words)) largest = std::max(largest, count.value);
    }
    return largest;
}

bool holds(std::span<std::string const> words, std::vector<phrase> const& sought) {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (begins_with(words.subspan(at), sought)) return true;
    return false;
}

// What stands at `at` is said of this turn, by whoever says it.
bool is_of_this_turn(phrase const& words, std::size_t at) {
    constexpr std::size_t near = 3;
    auto const whole = std::span<std::string const>(words);
    auto const before = whole.first(at);
    auto const& phrases = compiled();
    if (holds(whole, phrases.other_time)) return false;
    bool const speaks = holds(before, phrases.speaker);
    bool const is_passive = holds(before, phrases.passive);
    if (!speaks && holds(whole, phrases.earlier)) return false;
    if (!speaks && !is_passive && holds(before, phrases.other_person)) return false;
    if (!begins_with(whole.subspan(at), phrases.participle)) return true;
    return at == 0 || at + 1 == whole.size() ||
           holds(before.last(std::min(near, at)), phrases.verb_mark);
}

// Whole words of titles are blanked: they claim nothing. A title of one word is no mask.
std::string without_titles(std::string_view text, std::vector<std::string> const& titles) {
    std::string masked(text);
    for (auto const& title : titles) {
        if (title.find(' ') == std::string::npos) continue;
        for (auto at = masked.find(title); at != masked.npos; at = masked.find(title, at + 1))
            std::fill_n(masked.begin() + static_cast<std::ptrdiff_t>(at), title.size(), ' ');
    }
    return masked;
}

// "#3 Send updated contract", "• buy milk": a line of a list. One that speaks of the speaker, or in the words of
// the decision table, may claim.
bool is_listed(std::string_view line) {
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
    if (!is_item) return false;
    phrase words;
    for (auto& read : words_of(text).words) words.push_back(std::move(read.text));
    auto const first = std::min(words.size(), numbered ? std::size_t{1} : std::size_t{0});
    auto const said = std::span<std::string const>(words).subspan(first);
    // "#3 has been deleted" lists no task.
    return !begins_with(said, compiled().speaker) && !begins_with(said, compiled().heading) &&
           !(marked && begins_with(said, compiled().list_verb));
}

std::string without_lists(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = text.substr(0, end);
        if (!is_listed(line)) result += line;
        result += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

class claim_reader {
public:
    claim_reader(std::string_view text, bool others_acted)
        : text_(text),
          others_acted_(others_acted) {}

    void take(word const& read) {
        if (read.before != gap::none) end_clause();
        if (read.before == gap::stop || read.before == gap::question) end_sentence(read.before);
        if (read.quoted) { // a title is no claim
            titles_.emplace_back(text_.substr(read.begin, read.end - read.begin));
            return;
        }
        take_task(read);
        clause_.push_back(read.text);
    }
    change_claims finish(gap end) {
        end_clause();
        end_sentence(end);
        return std::move(found_);
    }

private:
    void take_task(word const& read) {
        bool const marked = read.begin > 0 && text_[read.begin - 1] == '#';
        bool const named = read.before == gap::none && !clause_.empty() && clause_.back() == "task";
        if (!marked && !named) return;
        std::int64_t number = 0;
        auto const* const end = read.text.data() + read.text.size();
        auto const [stop, failure] = std::from_chars(read.text.data(), end, number);
        if (failure == std::errc() && stop == end) tasks_.push_back(task_id{number});
    }

    void end_clause() {
        auto const hedge = first_of(clause_, compiled().hedging);
        auto const size = clause_.size();
        for (std::size_t i = 0; i < claimed_kinds.size(); ++i) {
            // "no longer on your list" begins with a hedge.
            auto const at = first_of(clause_, compiled().claimed[i]);
            if (at == size || at > hedge || !is_of_this_turn(clause_, at)) continue;
            if (others_acted_ && !holds(clause_, compiled().task_name) && tasks_.empty()) continue;
            auto& number = sentence_[claimed_kinds[i]];
            number = std::max(number, number_in(clause_));
        }
        vague_ |= first_of(clause_, compiled().vague) < hedge;
        clause_.clear();
    }
    void end_sentence(gap separator) {
        if (separator != gap::question) take_sentence();
        sentence_.clear();
        titles_.clear();
        tasks_.clear();
        vague_ = false;
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
    bool others_acted_;
    phrase clause_;
    std::map<kind, std::size_t> sentence_; // what it claims, and of how many tasks
    std::vector<std::string> titles_;
    std::vector<task_id> tasks_;
    bool vague_ = false;
    change_claims found_;
};

} // namespace

change_claims claims_in(std::string_view said, claim_context const& context) {
    auto const text = without_lists(said);
    // As long as the text: what stands in quotes is read where it is not blanked.
    auto const masked = without_titles(text, context.titles);
    auto const list = words_of(masked);
    claim_reader reader(text, context.others_acted);
    for (auto const& read : list.words) reader.take(read);
    return reader.finish(list.end);
}

bool asks_back(std::string_view text) {
    auto const list = words_of(text);
    phrase words;
    for (auto const& read : list.words) words.push_back(read.text);
    return list.asks && first_of(words, compiled().further) == words.size();
}

} // namespace postrider::agent::language
