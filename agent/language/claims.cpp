#include "agent/language/claims.hpp"

#include "agent/language/claim_phrases.hpp"
#include "agent/language/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

// "three words": beside a verb.
constexpr std::size_t near = 3;

struct said_clause {
    word_sequence words = {};
    std::vector<known_task> known = {}; // that it names, by title
    std::vector<task_id> ids = {};
    bool general = false; // behind "when …"
};

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

bool is_year(std::string_view word) {
    return word.size() == 4 && (word.front() == '1' || word.front() == '2') &&
           std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// Whether a clause claims changes of this turn, by the words of one language.
class clause_judge {
public:
    clause_judge(said_clause const& clause, claim_phrases const& of, claim_context const& context)
        : clause_(clause),
          words_(clause.words),
          of_(of),
          context_(context) {}

    // Beside a claim of the speaker's own, what was done to a thing describes it: "I deleted the task
    // that was added".
    std::vector<kind> claimed() const {
        std::vector<kind> own;
        std::vector<kind> told;
        if (holds_phrase(words_, of_.other_times)) return own;
        for (std::size_t i = 0; i < claimed_kinds.size(); ++i) {
            auto const change = claimed_kinds[i];
            if (context_.others_acted && !is_surely_of_tasks(change)) continue;
            auto const verbs = verbs_of(of_.claimed[i]);
            if (std::ranges::any_of(verbs, [&](auto verb) { return is_own(verb); }))
                own.push_back(change);
            else if (std::ranges::any_of(verbs, [&](auto verb) { return is_told(verb, change); }))
                told.push_back(change);
        }
        return own.empty() ? told : own;
    }
    bool is_vague() const {
        return find_phrase(words_, of_.vague).begin < find_phrase(words_, of_.hedges).begin;
    }

private:
    clause_part before(phrase_place verb) const { return words_.first(verb.begin); }
    // Some languages put the auxiliary behind: "gelöscht wurde".
    std::size_t behind(phrase_place verb) const { return std::min(verb.end + 1, words_.size()); }
    clause_part around(phrase_place verb) const { return words_.first(behind(verb)); }

    // "no longer on your list" begins with a hedge.
    std::vector<phrase_place> verbs_of(std::vector<word_sequence> const& sought) const {
        std::vector<phrase_place> verbs;
        auto const hedge = find_phrase(words_, of_.hedges).begin;
        for (std::size_t from = 0; from < words_.size();) {
            auto const found = find_phrase(words_.subspan(from), sought);
            phrase_place const verb{from + found.begin, from + found.end};
            if (verb.begin == words_.size() || verb.begin > hedge) break;
            if (is_verb(verb)) verbs.push_back(verb);
            from = verb.end;
        }
        return verbs;
    }

    // And not "the updated list", nor "Send updated contract".
    bool is_verb(phrase_place verb) const {
        auto const first = before(verb);
        if (!begins_with_phrase(words_.subspan(verb.begin), of_.participles)) return true;
        if (first.empty()) return true;
        if (begins_with_phrase(first.last(1), of_.determiners)) return false;
        return verb.end == words_.size() ||
               holds_phrase(first.last(std::min(near, first.size())), of_.verb_marks);
    }

    bool is_own(phrase_place verb) const {
        return speaks(verb) || (is_without_subject(verb) && !is_of_another_time());
    }

    // And not "I see that it was removed", "I know that you deleted it".
    bool speaks(phrase_place verb) const {
        auto const from = behind_phrases(words_.first(verb.end), of_.speakers);
        if (from == 0) return false;
        auto const until = std::max(from, verb.begin);
        return !holds_phrase(words_.subspan(from, until - from), of_.second_subjects) &&
               !holds_phrase(words_.subspan(from, behind(verb) - from), of_.passives);
    }

    // "Deleted!", "Just added milk"; and not "Deleted files are kept".
    bool is_without_subject(phrase_place verb) const {
        if (behind_fillers() < verb.begin || holds_phrase(around(verb), of_.passives)) return false;
        auto const rest = words_.subspan(verb.end);
        return !holds_phrase(rest, of_.passives) || begins_with_phrase(rest, of_.determiners);
    }
    std::size_t behind_fillers() const {
        std::size_t end = 0;
        while (begins_with_phrase(words_.subspan(end), of_.fillers))
            end += find_phrase(words_.subspan(end), of_.fillers).end;
        return end;
    }

    // Of a task, without its actor: "the task was deleted", "milk removed".
    bool is_told(phrase_place verb, kind change) const {
        bool const is_passive = holds_phrase(around(verb), of_.passives);
        if (!is_passive && holds_phrase(around(verb), of_.other_people)) return false;
        if (clause_.general || holds_phrase(words_, of_.general) || is_of_another_time())
            return false;
        if (change == kind::complete && is_shown_done()) return false;
        if (!clause_.ids.empty() || !clause_.known.empty()) return true;
        if (context_.wished.contains(change) || holds_phrase(words_, of_.own_list)) return true;
        // "Milk removed"
        if (!is_passive && verb.end == words_.size() && verb.begin <= near) return true;
        // "Anna deleted the task" has another subject.
        return holds_phrase(is_passive ? words_ : before(verb), of_.tasks);
    }

    bool is_of_another_time() const {
        return holds_phrase(words_, of_.earlier) ||
               (clause_.known.empty() && std::ranges::any_of(words_, is_year));
    }

    bool is_shown_done() const {
        auto const done = [&](task_id id) {
            auto const known = std::ranges::find(context_.tasks, id, &known_task::id);
            return known != context_.tasks.end() && known->done;
        };
        if (!clause_.ids.empty()) return std::ranges::all_of(clause_.ids, done);
        auto const& tasks = clause_.known.empty() ? context_.tasks : clause_.known;
        return std::ranges::any_of(tasks, &known_task::done);
    }

    bool is_surely_of_tasks(kind change) const {
        if (holds_phrase(words_, of_.tasks)) return true;
        if (change == kind::create) return false;
        return !clause_.known.empty() || std::ranges::any_of(clause_.ids, [&](task_id id) {
            return std::ranges::find(context_.tasks, id, &known_task::id) != context_.tasks.end();
        });
    }

    said_clause const& clause_;
    clause_part words_;
    claim_phrases const& of_;
    claim_context const& context_;
};

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
    auto const words = sequence_of(text);
    auto const first = std::min(words.size(), numbered ? std::size_t{1} : std::size_t{0});
    auto const said = std::span(words).subspan(first);
    // "#3 has been deleted" lists no task.
    return std::ranges::none_of(claim_languages(), [&](claim_phrases const& of) {
        return begins_with_phrase(said, of.speakers) || begins_with_phrase(said, of.headings) ||
               (marked && begins_with_phrase(said, of.list_verbs));
    });
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
    claim_reader(std::string_view text, claim_phrases const& of, claim_context const& context)
        : text_(text),
          of_(of),
          context_(context) {
        for (auto const& task : context.tasks) titles_known_.push_back(sequence_of(task.title));
    }

    change_claims claims() {
        auto const list = words_of(text_);
        word_sequence words;
        for (auto const& word : list.words) words.push_back(word.text);
        for (std::size_t at = 0; at < words.size();) {
            begin_word(list.words[at]);
            auto const masked = take_titles(std::span(words).subspan(at));
            if (masked == 0) take(list.words[at]);
            at += std::max(masked, std::size_t{1});
        }
        end_clause();
        end_sentence(list.end);
        return std::move(found_);
    }

private:
    void begin_word(word const& read) {
        bool const is_number = read.before == gap::soft && is_marked(read); // "deleted #3"
        if (read.before != gap::none && !is_number) end_clause();
        if (read.before == gap::stop || read.before == gap::question) end_sentence(read.before);
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

    void end_clause() {
        clause_judge const judge(clause_, of_, context_);
        for (auto const change : judge.claimed()) {
            auto& number = sentence_[change];
            number = std::max(number, number_in(clause_.words, of_));
        }
        vague_ |= judge.is_vague();
        std::ranges::copy(clause_.ids, std::back_inserter(tasks_));
        bool const general = clause_.general || begins_with_phrase(clause_.words, of_.general);
        clause_ = said_clause{.general = general};
    }
    void end_sentence(gap separator) {
        if (separator != gap::question) take_sentence();
        sentence_.clear();
        titles_.clear();
        tasks_.clear();
        vague_ = false;
        clause_.general = false;
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
    auto const text = without_lists(said);
    change_claims all;
    // A clause is of one language: the Spanish "he" is no speaker in English.
    for (auto const& of : claim_languages()) {
        auto found = claim_reader(text, of, context).claims();
        all.kinds.merge(found.kinds);
        for (auto const& [change, number] : found.numbers)
            all.numbers[change] = std::max(all.numbers[change], number);
        std::ranges::move(found.titles, std::back_inserter(all.titles));
        std::ranges::move(found.tasks, std::back_inserter(all.tasks));
        all.vague |= found.vague;
    }
    return all;
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
