#include "agent/language/reading/clause.hpp"

#include "agent/language/reading/due_shift.hpp"
#include "agent/language/reading/items.hpp"
#include "agent/language/reading/listed_days.hpp"
#include "agent/language/reading/past_verbs.hpp"
#include "agent/language/reading/sentences.hpp"
#include "agent/language/reading/title.hpp"
#include "agent/language/reference.hpp"
#include "agent/language/times/unread_time.hpp"

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

constexpr std::size_t most_clause_intents = 20;
// "every other monday at half past nine"
constexpr std::size_t most_recurring_words = 7;

bool names_a_title(clause const& understood) {
    return understood.intents.front().task.by == task_reference::kind::title;
}

struct stripped {
    passage words;
    bool request = false;   // "could you"
    bool confirmed = false; // "…, yes I'm sure"
    // The words of the shortest confirmation that no sign divides from the rest; 0: none is such.
    std::size_t attached = 0;
};

class clause_reader {
public:
    clause_reader(compiled_language const& language, bool asks, wall_clock const& clock)
        : language_(language),
          asks_(asks),
          clock_(clock) {}

    clause read(passage words) const {
        auto best = read_as_is({words});
        auto const polite = without_politeness(words);
        if (polite.words.size() < words.size()) best = better(std::move(best), read_as_is(polite));
        auto const confirmed = without_confirmation(polite);
        if (confirmed.confirmed) {
            auto confirmed_reading = read_as_is(confirmed);
            if (is_confirmed(confirmed_reading, confirmed.attached)) return confirmed_reading;
            if (confirmed_reading.understood() && names_numbers(confirmed_reading))
                return without_yes(std::move(confirmed_reading));
        }
        return best;
    }

private:
    // Words that are not set off may be the end of a title: "rename 3 to make sure".
    static bool is_confirmed(clause const& read, std::size_t attached) {
        constexpr std::size_t behind_a_number = 2;
        constexpr std::size_t behind_a_title = 3;
        if (!read.understood() || !asks_first(read.intents.front().action)) return false;
        if (attached == 0) return true;
        if (read.intents.front().action == kind::update) return false;
        return attached >= (names_numbers(read) ? behind_a_number : behind_a_title);
    }

    // "delete 3": behind it stands no title that could go on.
    static bool names_numbers(clause const& reading) {
        return std::ranges::all_of(reading.intents, [](intent const& intent) {
            using by = task_reference::kind;
            return intent.action == kind::remove &&
                   (intent.task.by == by::id || intent.task.by == by::position ||
                    intent.task.by == by::from_end || intent.task.by == by::mentioned);
        });
    }

    static clause without_yes(clause reading) {
        for (auto& intent : reading.intents) intent.confirmed = false;
        return reading;
    }

    static bool is_set_off(passage words, std::size_t at) {
        return at == 0 || at >= words.size() || words[at].before >= gap::soft ||
               words[at - 1].quoted;
    }

    static bool asks_first(kind action) { return action == kind::update || action == kind::remove; }

    static clause better(clause a, clause b) {
        if (!a.understood()) return b.matched ? b : a;
        if (!b.understood() || a.own_words > b.own_words) return a;
        return b;
    }

    stripped without_politeness(passage words) const {
        stripped result{words};
        for (bool shorter = true; shorter;) {
            auto& rest = result.words;
            auto const before = rest.size();
            rest = without_openings(language_, rest);
            rest = rest.without_first(corrected_at_begin(language_, rest));
            if (auto const request_words = language_.requests.at_begin(rest.numbers()).words) {
                rest = rest.without_first(request_words);
                result.request = true;
            }
            rest = rest.without_last(language_.closings.at_end(rest.numbers()).words);
            auto const after = language_.afterthoughts.at_end(rest.numbers()).words;
            if (after > 0 && rest[rest.size() - after].before >= gap::soft)
                rest = rest.without_last(after);
            shorter = rest.size() < before;
        }
        return result;
    }

    stripped without_confirmation(stripped const& clause) const {
        auto result = clause;
        auto& rest = result.words;
        for (bool shorter = true; shorter;) {
            auto const before = rest.size();
            auto const behind = language_.confirmations.at_end(rest.numbers()).words;
            if (!is_set_off(rest, before - behind))
                result.attached = result.attached == 0 ? behind : std::min(result.attached, behind);
            rest = rest.without_last(behind);
            rest = rest.without_first(language_.confirmations.at_begin(rest.numbers()).words);
            shorter = rest.size() < before;
            result.confirmed |= shorter;
            if (!shorter) break;
            rest = without_politeness(rest).words;
        }
        return result;
    }

    clause read_as_is(stripped const& source) const {
        if (source.words.empty()) return {};
        auto const match =
            best_match(language_, source.words, [&](form const& candidate, passage time) {
                intent scratch;
                return may_be_time(candidate, source.words, time, scratch);
            });
        if (!match) return {};
        auto const& source_form = *match->matched->source;
        if (source_form.heads_titles && source_form.colon) return {};
        auto const action = source_form.action;
        if (mutates(action) && asks_ && !source.request) return {};
        clause result{
            .intents = {},
            .language = &language_,
            .matched = match->matched,
            .own_words = match->own_words,
            .first = source.words.numbers().front()};
        if (action == kind::unknown) return result; // what no tool does
        result.intents = intents_of(*match, source.words);
        if (source_form.timed && action == kind::create) {
            // It is the weakest reading, and none without its time.
            if (result.intents.empty() || !is_dated(result.intents.front())) return {};
            result.own_words = 0;
        }
        for (auto& requested : result.intents)
            requested.confirmed = source.confirmed && asks_first(action);
        return result;
    }

    static bool is_dated(intent const& intent) {
        return !intent.title.empty() && (intent.due || intent.due_unread);
    }

    // "change the rent to 2 December" sets no title. False: it is a time that is not understood.
    bool read_change(form const& source, passage title, intent& intent) const {
        if (source.may_date) {
            if (read_due(language_, title, clock_, intent)) return true;
            if (holds_unread_time(language_, title, clock_, true)) return false;
            if (is_time(language_, title, clock_)) return false;
        }
        read_new_title(language_, title, intent);
        return true;
    }

    // "I bought the milk": "buy the milk". A number alone is hardly what was bought.
    bool name_with_verb(std::string_view verb, std::vector<intent>& several) const {
        auto const named = [&](std::string const& title) {
            return language_.source->titles_begin_with_verb ? std::string(verb) + ' ' + title
                                                            : title + ' ' + std::string(verb);
        };
        for (auto& intent : several) {
            using by = task_reference::kind;
            if (intent.task.by == by::mentioned) continue;
            if (intent.task.by != by::title) return false;
            intent.task.title = named(intent.task.title);
            for (auto& part : intent.task.parts) part = named(part);
        }
        return true;
    }

    std::optional<passage> taken(form_match const& match, passage words, slot s) const {
        auto const& range = match.at(s);
        if (!range) return std::nullopt;
        return words.part(range->begin, range->end);
    }

    // "milk if it isn't there yet"
    bool take_proviso(passage& title) const {
        auto const proviso = language_.provisos.at_end(title.numbers()).words;
        if (proviso == 0 || proviso == title.size()) return false;
        title = title.without_last(proviso);
        return true;
    }

    // Where a form may fit in several ways, only one has a time in the right place.
    bool may_be_time(form const& candidate, passage words, passage time, intent& intent) const {
        if (candidate.action == kind::list && candidate.timed)
            return read_days_before_list(language_, time, clock_, intent);
        if (candidate.action == kind::list)
            return read_listed_days(language_, words, time, clock_, intent);
        if (candidate.action != kind::update) return true;
        if (candidate.shift == 0) return read_due(language_, time, clock_, intent);
        auto const shift = read_shift(language_, time);
        if (shift)
            intent.shift = {candidate.shift * shift->months, candidate.shift * shift->length};
        return shift.has_value();
    }

    bool recurs(passage time) const {
        return time.size() <= most_recurring_words &&
               language_.times.recurring.at_begin(time.numbers()).words > 0;
    }

    std::vector<intent> intents_of(form_match const& match, passage words) const {
        intent intent;
        intent.action = match.matched->source->action;
        intent.filter = match.matched->source->filter;
        intent.urgency = match.matched->source->urgency;
        auto const time = taken(match, words, slot::time);
        bool const time_recurs = time && intent.action == kind::create && recurs(*time);
        intent.recurring = time_recurs;
        if (auto const said = taken(match, words, slot::priority))
            intent.urgency =
                static_cast<priority>(language_.priorities.at_begin(said->numbers()).value);
        if (auto const said = taken(match, words, slot::level))
            intent.urgency =
                static_cast<priority>(language_.levels.at_begin(said->numbers()).value);
        auto const& source = *match.matched->source;
        if (time && intent.action != kind::create) {
            if (!may_be_time(source, words, *time, intent)) return {};
        } else if (time && !time_recurs && !read_due(language_, *time, clock_, intent)) {
            return {};
        }
        if (auto const search = taken(match, words, slot::search)) {
            if (language_.doubts.contains_any(search->numbers())) return {};
            intent.search = search->text();
        }
        if (auto title = taken(match, words, slot::title)) {
            bool const verbal = match.matched->source->verbal;
            if (intent.action == kind::create && !verbal)
                intent.unless_listed = take_proviso(*title);
            if (language_.retractions.contains_any(title->numbers())) return {};
            if (intent.action == kind::create && !verbal)
                if (auto items = read_items(language_, *title, clock_, intent); !items.empty())
                    return items;
            if (intent.action == kind::update) {
                if (!read_change(*match.matched->source, *title, intent)) return {};
            } else {
                read_title(
                    language_,
                    *title,
                    clock_,
                    intent,
                    {.reminds = verbal,
                     .may_begin_with_article = verbal || match.own_words > 1,
                     .time_apart = time_recurs ? std::nullopt : time}
                );
            }
            // "remind me every monday to call Ann": as it stays in a title, behind it.
            if (time_recurs && !intent.title.empty()) intent.title += ' ' + time->text();
        }
        auto task = taken(match, words, slot::task);
        if (!task) return {intent};
        auto const& verb = match.matched->source->verb;
        if (match.at(slot::verb) || !verb.empty()) task = without_time(*task);
        if (match.at(slot::verb) && !is_told(words, *task)) return {};
        std::vector<struct intent> several;
        for (auto& reference : references_in(language_, *task)) {
            if (several.size() == most_clause_intents) return {};
            several.push_back(intent);
            several.back().task = std::move(reference);
        }
        if (!verb.empty() && !name_with_verb(verb, several)) return {};
        if (auto const said_verb = taken(match, words, slot::verb);
            said_verb && !add_verbs(*said_verb, several))
            return {};
        return several;
    }

    // "I changed nothing" and "I told you" tell of no task.
    bool is_told(passage words, passage task) const {
        auto const object = task.numbers();
        return !language_.doubts.contains_any(words.numbers()) &&
               (language_.no_titles.at_begin(object).words == 0 ||
                language_.articles.at_begin(object).words > 0);
    }

    // "I mowed the lawn". "I liked it" and "I deleted 3" tell of nothing that was to be done.
    bool add_verbs(passage said_verb, std::vector<intent>& several) const {
        for (auto& intent : several) {
            if (intent.task.by != task_reference::kind::title) return false;
            intent.task.verbs = infinitives_of(language_, said_verb);
        }
        return !several.empty();
    }

    // "the lawn yesterday", "gestern den Rasen"
    passage without_time(passage task) const {
        for (std::size_t count = 1; count < std::min(task.size(), most_recurring_words); ++count) {
            for (bool const behind : {true, false}) {
                auto const time =
                    behind ? task.part(task.size() - count, task.size()) : task.part(0, count);
                auto const reading = read_time(language_, time, clock_);
                if (reading) return behind ? task.without_last(count) : task.without_first(count);
            }
        }
        return task;
    }

    compiled_language const& language_;
    bool asks_;
    wall_clock const& clock_;
};

bool knows_more(compiled_language const& a, compiled_language const& b, passage words) {
    return known_words(a, words.numbers()) > known_words(b, words.numbers());
}

} // namespace

std::size_t weight(clause const& understood) {
    return 2 * understood.own_words + (names_a_title(understood) ? 0 : 1);
}

clause read_clause(
    std::span<compiled_language const> languages, passage words, bool asks, wall_clock const& clock
) {
    clause best;
    bool refused = false;
    for (auto const& language : languages) {
        auto reading = clause_reader(language, asks, clock).read(words);
        refused |= reading.refused();
        if (!reading.understood()) continue;
        if (!best.understood() || weight(reading) > weight(best) ||
            (weight(reading) == weight(best) && knows_more(*reading.language, *best.language, words)
            ))
            best = std::move(reading);
    }
    // "complete it, but don't delete task 3" is no title, though "complete" is Spanish, too.
    if (refused && best.understood() && names_a_title(best)) return {};
    return best;
}

bool requests(std::span<compiled_language const> languages, passage words) {
    return std::ranges::any_of(languages, [&](auto const& language) {
        auto const rest = without_openings(language, words);
        return language.requests.at_begin(rest.numbers()).words > 0;
    });
}

bool confirms(std::span<compiled_language const> languages, passage words) {
    return std::ranges::any_of(languages, [&](auto const& language) {
        return language.confirmations.only(words.numbers());
    });
}

} // namespace postrider::agent::language
