#include "agent/todo/resolve.hpp"

#include "agent/language/unicode.hpp"
#include "agent/language/words.hpp"
#include "base/ids.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::todo {

namespace {

using reason = no_task::reason;

constexpr std::size_t most_candidates = 8;

// In letters: in another script than Latin one takes several bytes.
constexpr std::size_t shortest_with_slip = 4;
constexpr std::size_t shortest_with_two = 8;

// Words that say nothing of a task, in the languages of the rules.
constexpr std::array<std::string_view, 44> fillers{
    "the",   "a",   "an",    "my",  "to",  "of",     "for",    "with", "and", "task",    "item",
    "thing", "one", "about", "die", "der", "das",    "den",    "dem",  "und", "aufgabe", "mit",
    "el",    "la",  "los",   "las", "de",  "y",      "tarea",  "le",   "les", "l",       "d",
    "du",    "et",  "tache", "и",   "с",   "задачу", "задача", "ka",   "ki",  "کا",      "کی"};

std::vector<std::string> content_of(std::string_view title) {
    std::vector<std::string> content;
    std::vector<std::string> every;
    for (auto& read : words_of(title).words) {
        // A quotation inside of a title is part of it.
        auto text = read.quoted ? folded(title.substr(read.begin, read.end - read.begin))
                                : std::move(read.text);
        if (std::ranges::find(fillers, text) == fillers.end()) content.push_back(text);
        every.push_back(std::move(text));
    }
    return content.empty() ? every : content;
}

bool is_id(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// "1.5", "24.12.": hardly the name of what holds it.
bool is_figure(std::string_view text) {
    return text.find_first_not_of("0123456789.,:/-") == text.npos;
}

// "eggs" and "egg", "отчёт" and "отчёта": by so many bytes at most.
bool is_inflected(std::string_view spoken, std::string_view word, std::size_t most) {
    auto const shorter = std::min(spoken.size(), word.size());
    return shorter >= 3 && (spoken.starts_with(word) || word.starts_with(spoken)) &&
           std::max(spoken.size(), word.size()) - shorter <= most;
}

// Letter by letter, inflected, with letters in another order, or so long that a slip hardly makes
// another word of it.
bool surely_means(std::string_view spoken, std::string_view word) {
    constexpr std::size_t shortest = 6;
    if (spoken == word || is_inflected(spoken, word, 2)) return true;
    if (is_id(spoken) || is_id(word)) return false;
    if (expressions::code_points(spoken.size() < word.size() ? spoken : word) >= shortest)
        return true;
    return std::ranges::is_permutation(spoken, word);
}

// One slip in words of four letters and more, two in long ones; a number is exact.
bool means(std::string_view spoken, std::string_view word) {
    if (spoken == word) return true;
    if (is_id(spoken) || is_id(word)) return false;
    auto const shorter = std::min(spoken.size(), word.size());
    if (shorter < 4) return false;
    if (spoken.starts_with(word) || word.starts_with(spoken)) return is_inflected(spoken, word, 3);
    auto const letters = std::min(expressions::code_points(spoken), expressions::code_points(word));
    if (letters < shortest_with_slip) return false;
    auto const slips = letters >= shortest_with_two ? std::size_t{2} : std::size_t{1};
    return edit_distance(spoken, word, slips) <= slips;
}

// Not enough to act on: "buying" and "buy".
bool resembles_word(std::string_view spoken, std::string_view word) {
    auto const shorter = std::min(spoken.size(), word.size());
    return means(spoken, word) || (shorter >= 3 && !is_id(spoken) &&
                                   (spoken.starts_with(word) || word.starts_with(spoken)));
}

struct score {
    task const* scored = nullptr;
    std::size_t near = 0;  // words of the reference, loosely
    std::size_t found = 0; // words of the reference
    std::size_t exact = 0; // of them, letter by letter
    std::size_t sure = 0;  // of them, without a slip that makes another word
    std::size_t words = 0; // of the title
};

score score_of(std::vector<std::string> const& spoken, task const& candidate) {
    auto const title = content_of(candidate.title);
    score result{.scored = &candidate, .words = title.size()};
    for (auto const& word : spoken) {
        bool const exact = std::ranges::find(title, word) != title.end();
        bool const matches = exact || std::ranges::any_of(title, [&](auto const& other) {
                                 return means(word, other);
                             });
        result.exact += exact;
        result.sure += std::ranges::any_of(title, [&](auto const& other) {
            return means(word, other) && surely_means(word, other);
        });
        result.found += matches;
        result.near += std::ranges::any_of(title, [&](auto const& other) {
            return resembles_word(word, other);
        });
    }
    return result;
}

// "call" of "call Ann": what is to be done, and so no name of it.
bool is_lone_verb(std::vector<std::string> const& spoken, std::vector<score> const& scores) {
    if (spoken.size() != 1 || scores.size() != 1) return false;
    auto const title = content_of(scores.front().scored->title);
    return title.size() > 1 && means(spoken.front(), title.front()) &&
           std::ranges::none_of(title.begin() + 1, title.end(), [&](auto const& word) {
               return means(spoken.front(), word);
           });
}

which_task asking_for(std::vector<score> const& scores) {
    which_task question;
    for (auto const& scored : scores)
        if (question.candidates.size() < most_candidates)
            question.candidates.push_back(*scored.scored);
    return question;
}

resolution among(std::vector<score> const& scores) {
    if (scores.size() == 1) return *scores.front().scored;
    return asking_for(scores);
}

std::vector<score> filtered(std::vector<score> const& scores, auto const& keep) {
    std::vector<score> kept;
    std::ranges::copy_if(scores, std::back_inserter(kept), keep);
    return kept;
}

resolution by_title(task_reference const& reference, conversation_view const& view) {
    auto const spoken = content_of(reference.title);
    if (spoken.empty()) return no_task{reason::no_title};
    std::vector<score> scores;
    for (auto const& candidate : view.tasks) scores.push_back(score_of(spoken, candidate));
    auto const whole = filtered(scores, [&](score const& s) {
        return s.found == spoken.size() && s.words == spoken.size();
    });
    auto const same = filtered(whole, [&](score const& s) { return s.exact == spoken.size(); });
    if (!same.empty()) return among(same);
    if (reference.exact) return no_task{reason::no_title};
    auto const are_slips = [&](std::vector<score> const& matches) {
        return view.slips_name_nothing && matches.size() == 1 &&
               matches.front().sure < spoken.size();
    };
    if (!whole.empty()) return are_slips(whole) ? asking_for(whole) : among(whole);
    auto const holding = filtered(scores, [&](score const& s) { return s.found == spoken.size(); });
    auto const literally =
        filtered(holding, [&](score const& s) { return s.exact == spoken.size(); });
    auto const& best = literally.empty() ? holding : literally;
    if (view.verbs_name_nothing && is_lone_verb(spoken, best)) return asking_for(best);
    if (!best.empty() && spoken.size() == 1 && is_figure(spoken.front())) return asking_for(best);
    if (!best.empty()) return are_slips(best) ? asking_for(best) : among(best);
    auto near = filtered(scores, [&](score const& s) { return s.near > 0; });
    if (near.empty()) return no_task{reason::no_title};
    std::ranges::stable_sort(near, std::greater(), &score::near);
    which_task question;
    for (auto const& scored : near)
        if (question.candidates.size() < most_candidates && scored.near == near.front().near)
            question.candidates.push_back(*scored.scored);
    return question;
}

// Those that are completed come into question only where no other does, and beyond doubt.
resolution by_title_of_open(task_reference const& reference, conversation_view view) {
    auto const all_tasks = view.tasks;
    std::vector<task> open_tasks;
    std::ranges::copy_if(all_tasks, std::back_inserter(open_tasks), [](task const& t) {
        return !t.done;
    });
    view.tasks = open_tasks;
    auto of_open = by_title(reference, view);
    if (!std::holds_alternative<no_task>(of_open)) return of_open;
    view.tasks = all_tasks;
    auto completed = by_title(reference, view);
    return std::holds_alternative<task>(completed) ? completed : of_open;
}

// "I mowed the lawn": only a task that has the verb, too, is done. Of the others the object is no more than near.
resolution by_told(task_reference const& reference, conversation_view const& view) {
    auto const spoken = content_of(reference.title);
    std::vector<score> near;
    std::vector<score> same;
    for (auto const& candidate : view.tasks) {
        if (candidate.done) continue;
        auto const scored = score_of(spoken, candidate);
        if (spoken.empty() || scored.sure < spoken.size()) continue;
        near.push_back(scored);
        auto const title = content_of(candidate.title);
        bool const has_verb = std::ranges::any_of(title, [&](auto const& word) {
            return std::ranges::find(reference.verbs, word) != reference.verbs.end();
        });
        if (has_verb) same.push_back(scored);
    }
    if (near.empty()) return no_task{reason::no_title};
    return same.empty() ? asking_for(near) : among(same);
}

resolution by_id(task_id id, conversation_view const& view, reason otherwise) {
    auto const entry = std::ranges::find(view.tasks, id, &task::id);
    if (entry == view.tasks.end()) return no_task{otherwise};
    return *entry;
}

resolution by_place(std::int64_t place, conversation_view const& view, bool from_end) {
    if (view.shown.empty()) return no_task{reason::no_list};
    auto const size = static_cast<std::int64_t>(view.shown.size());
    if (place < 1 || place > size) return no_task{reason::not_in_list};
    auto const index = static_cast<std::size_t>(from_end ? size - place : place - 1);
    return by_id(view.shown[index], view, reason::not_in_list);
}

} // namespace

resolution resolve(task_reference const& reference, conversation_view const& view) {
    switch (reference.by) {
    case task_reference::kind::none:
        return no_task{reason::not_said};
    case task_reference::kind::id:
        return by_id(task_id{reference.number}, view, reason::unknown_id);
    case task_reference::kind::position:
        return by_place(reference.number, view, false);
    case task_reference::kind::from_end:
        return by_place(reference.number, view, true);
    case task_reference::kind::mentioned:
        if (view.mentioned) return by_id(*view.mentioned, view, reason::nothing_mentioned);
        // A list of a single task leaves no doubt.
        if (view.shown.size() == 1) return by_id(view.shown[0], view, reason::nothing_mentioned);
        return no_task{reason::nothing_mentioned};
    case task_reference::kind::title:
        if (!reference.verbs.empty()) return by_told(reference, view);
        return view.for_open_tasks ? by_title_of_open(reference, view) : by_title(reference, view);
    case task_reference::kind::all:
        return no_task{reason::all_of_them};
    }
    return no_task{};
}

std::vector<resolution> resolve_all(
    task_reference const& reference, conversation_view const& view
) {
    auto whole = resolve(reference, view);
    if (std::holds_alternative<task>(whole) || reference.parts.size() < 2) return {whole};
    std::vector<resolution> several;
    for (auto const& title : reference.parts) {
        several.push_back(resolve({.by = task_reference::kind::title, .title = title}, view));
        if (!std::holds_alternative<task>(several.back())) return {whole};
    }
    return several;
}

} // namespace postrider::agent::todo
