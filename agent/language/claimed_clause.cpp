#include "agent/language/claimed_clause.hpp"

#include <algorithm>
#include <span>

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

// "three words": beside a verb.
constexpr std::size_t near = 3;

bool is_year(std::string_view word) {
    return word.size() == 4 && (word.front() == '1' || word.front() == '2') &&
           std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

bool names_something(clause_part words, claim_phrases const& of) {
    return behind_leading(words, of.hollow) < words.size();
}

// Where a pronoun stands for what is changed. An article is none: "la leche", "that comma", "all the hours".
std::size_t find_pronoun(clause_part words, claim_phrases const& of) {
    for (std::size_t at = 0; at < words.size();) {
        auto const pronoun = find_phrase(words.subspan(at), of.pronouns);
        auto const end = at + pronoun.end;
        if (at + pronoun.begin == words.size()) break;
        auto rest = words.subspan(end);
        rest = rest.subspan(behind_leading(rest, of.pronouns));
        auto const behind_article = rest.subspan(behind_leading(rest, of.articles));
        bool const is_article =
            !behind_article.empty() &&
            (behind_article.size() < rest.size() || !begins_with_phrase(behind_article, of.hollow));
        if (!is_article) return at + pronoun.begin;
        at = end;
    }
    return words.size();
}

} // namespace

std::vector<kind> clause_judge::claimed() const {
    std::vector<kind> own;
    std::vector<kind> told;
    if (holds_phrase(words_, of_.other_times)) return own;
    if (clause_.cited || is_denied()) return own;
    auto const hedge =
        std::min(find_phrase(words_, of_.hedges).begin, find_phrase(words_, of_.citing).begin);
    for (std::size_t i = 0; i < claimed_kinds.size(); ++i) {
        auto const change = claimed_kinds[i];
        if (context_.others_acted && !is_surely_of_tasks(change)) continue;
        auto const verbs = verbs_of(of_.claimed[i], hedge);
        if (std::ranges::any_of(verbs, [&](auto verb) { return is_own(verb, change); }))
            own.push_back(change);
        else if (std::ranges::any_of(verbs, [&](auto verb) { return is_told(verb, change); }))
            told.push_back(change);
    }
    return own.empty() ? told : own;
}

bool clause_judge::is_vague() const {
    auto const hedge = find_phrase(words_, of_.hedges).begin;
    return find_phrase(words_, of_.vague).begin < hedge ||
           (names_one() && find_phrase(words_, of_.now).begin < hedge);
}

bool clause_judge::denies() const {
    return is_denied() || (holds_phrase(words_, of_.hedges) && first_verb() < words_.size());
}

// "nothing was added, changed or deleted"
bool clause_judge::is_denied() const {
    return clause_.denied && first_verb() <= behind_fillers();
}

std::size_t clause_judge::first_verb() const {
    auto first = words_.size();
    for (auto const& sought : of_.claimed)
        for (auto const verb : verbs_of(sought, words_.size())) first = std::min(first, verb.begin);
    return first;
}

bool clause_judge::cites() const {
    return holds_phrase(words_, of_.citing);
}

bool clause_judge::heads_titles() const {
    return !holds_phrase(words_, of_.speakers) &&
           (holds_phrase(words_, of_.tasks) || holds_phrase(words_, of_.own_list));
}

// Some languages put the auxiliary behind: "gelöscht wurde".
std::size_t clause_judge::behind(phrase_place verb) const {
    return std::min(verb.end + 1, words_.size());
}

// "no longer on your list" begins with a hedge.
std::vector<phrase_place> clause_judge::verbs_of(
    std::vector<word_sequence> const& sought, std::size_t until
) const {
    std::vector<phrase_place> verbs;
    for (std::size_t start = 0; start < words_.size();) {
        auto const place = find_phrase(words_.subspan(start), sought);
        phrase_place const verb{start + place.begin, start + place.end};
        if (verb.begin == words_.size() || verb.begin > until) break;
        if (is_verb(verb)) verbs.push_back(verb);
        start = verb.end;
    }
    return verbs;
}

// And not "the updated list", nor "Send updated contract".
bool clause_judge::is_verb(phrase_place verb) const {
    auto const first = before(verb);
    if (!begins_with_phrase(words_.subspan(verb.begin), of_.participles)) return true;
    if (first.empty()) return true;
    if (begins_with_phrase(first.last(1), of_.determiners)) return false;
    // "Report moved to Friday"
    return verb.end == words_.size() || begins_with_phrase(words_.subspan(verb.end), of_.hollow) ||
           holds_phrase(first.last(std::min(near, first.size())), of_.verb_marks);
}

bool clause_judge::is_own(phrase_place verb, kind change) const {
    if (!is_of_tasks(verb, change)) return false;
    if (speaks(verb)) return true;
    bool const is_title = clause_.listed && !context_.undone.contains(change);
    return is_without_subject(verb) && !is_title && !is_of_another_time(change);
}

// And not "I see that it was removed", "I know that you deleted it".
bool clause_judge::speaks(phrase_place verb) const {
    auto const behind_speaker = behind_phrases(words_.first(verb.end), of_.speakers);
    if (behind_speaker == 0) return false;
    auto const until = std::max(behind_speaker, verb.begin);
    return !holds_phrase(
               words_.subspan(behind_speaker, until - behind_speaker), of_.second_subjects
           ) &&
           !holds_phrase(
               words_.subspan(behind_speaker, behind(verb) - behind_speaker), of_.passives
           );
}

// "Deleted!", "Just added milk"; and not "Deleted files are kept", "Deleted files can be restored".
bool clause_judge::is_without_subject(phrase_place verb) const {
    if (behind_fillers() < verb.begin || holds_phrase(around(verb), of_.passives)) return false;
    auto const rest = words_.subspan(verb.end);
    if (begins_with_phrase(rest, of_.determiners)) return true;
    return !holds_phrase(rest, of_.passives) && !holds_phrase(rest, of_.hedges);
}

std::size_t clause_judge::behind_fillers() const {
    return behind_leading(words_, of_.fillers);
}

// And not "I've created a poem". A verb that makes or changes anything needs a word that names a task. The others
// are of tasks where the person said nothing else, and where nothing else is named: "I deleted it".
bool clause_judge::is_of_tasks(phrase_place verb, kind change) const {
    if (names_tasks() || context_.asked.contains(change)) return true;
    if (change == kind::update && holds_phrase(words_, of_.days)) return true;
    bool const is_broad =
        holds_phrase(words_.subspan(verb.begin, verb.end - verb.begin), of_.broad);
    if (is_broad && context_.of_else) return false;
    return !names_another_thing(verb) || !(is_broad || context_.of_else);
}

bool clause_judge::names_one() const {
    return !clause_.ids.empty() || !clause_.known.empty();
}

bool clause_judge::names_tasks() const {
    return names_one() || holds_phrase(words_, of_.tasks) || holds_phrase(words_, of_.own_list);
}

bool clause_judge::names_another_thing(phrase_place verb) const {
    auto const rest = words_.subspan(verb.end);
    auto const first = before(verb);
    if (find_pronoun(first, of_) < first.size()) return false;
    if (!rest.empty() && find_pronoun(rest, of_) <= behind_leading(rest, of_.fillers)) return false;
    return names_something(first, of_) || names_something(rest, of_);
}

// Of a task, without its actor: "the task was deleted", "milk removed".
bool clause_judge::is_told(phrase_place verb, kind change) const {
    bool const is_passive = holds_phrase(around(verb), of_.passives);
    if (!is_passive && holds_phrase(around(verb), of_.other_people)) return false;
    if (clause_.general || holds_phrase(words_, of_.general) || is_of_another_time(change))
        return false;
    if (change == kind::complete && is_shown_done()) return false;
    if (names_one()) return true;
    if (context_.undone.contains(change)) return true;
    if (context_.asks_how_it_is) return false;
    if (holds_phrase(words_, of_.own_list)) return true;
    // "Milk removed"
    if (!is_passive && verb.end == words_.size() && verb.begin <= near)
        return is_of_tasks(verb, change);
    // "Anna deleted the task" has another subject.
    return holds_phrase(is_passive ? words_ : before(verb), of_.tasks);
}

bool clause_judge::is_of_another_time(kind change) const {
    // "moved to Friday", as was asked
    if (change == kind::update && context_.undone.contains(change) &&
        holds_phrase(words_, of_.days))
        return false;
    return holds_phrase(words_, of_.earlier) ||
           (clause_.known.empty() && std::ranges::any_of(words_, is_year));
}

bool clause_judge::is_shown_done() const {
    auto const done = [&](task_id id) {
        auto const task = std::ranges::find(context_.tasks, id, &known_task::id);
        return task != context_.tasks.end() && task->done;
    };
    if (!clause_.ids.empty()) return std::ranges::all_of(clause_.ids, done);
    auto const& tasks = clause_.known.empty() ? context_.tasks : clause_.known;
    return std::ranges::any_of(tasks, &known_task::done);
}

bool clause_judge::is_surely_of_tasks(kind change) const {
    if (holds_phrase(words_, of_.tasks)) return true;
    if (change == kind::create) return false;
    return !clause_.known.empty() || std::ranges::any_of(clause_.ids, [&](task_id id) {
        return std::ranges::find(context_.tasks, id, &known_task::id) != context_.tasks.end();
    });
}

} // namespace postrider::agent::language
