#include "agent/language/reading/contrast.hpp"

#include "agent/language/reference.hpp"

namespace postrider::agent::language {

namespace {

using kind = intent::kind;
using by = task_reference::kind;

// Commas at which a sentence is divided.
constexpr std::size_t most_commas = 4;

// What is not to be done: with a task, or to it at all ("not task 2").
struct prohibition {
    std::optional<kind> action;
    task_reference task;
    std::string title = {}; // of a task that is not to be created
    word_number verb = 0;   // likewise
};

bool is_same(task_reference const& a, task_reference const& b) {
    return a.by == b.by && a.number == b.number && a.title == b.title;
}

bool refers_by_number(task_reference const& reference) {
    return reference.by == by::id || reference.by == by::position || reference.by == by::from_end;
}

// Two tasks, and not one in two ways of saying.
bool are_different(task_reference const& a, task_reference const& b) {
    bool const named =
        refers_by_number(a) || (a.by == by::title && a.parts.empty() && b.parts.empty());
    return named && a.by == b.by && !is_same(a, b);
}

// Neither is said within the other: "milk" and "the milk" are one thing.
bool are_different_titles(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return false;
    auto const first = folded(a);
    auto const second = folded(b);
    return first.find(second) == first.npos && second.find(first) == second.npos;
}

class contrast_reader {
public:
    contrast_reader(
        std::span<compiled_language const> languages,
        compiled_language const& language,
        wall_clock const& clock
    )
        : languages_(languages),
          language_(language),
          clock_(clock) {}

    std::optional<clause> read(passage before, passage behind) const {
        auto const rest =
            behind.without_first(language_.contrasts.at_begin(behind.numbers()).words);
        if (auto const refused = refused_by(before)) return request_beside(*refused, rest, true);
        if (auto const refused = refused_by(rest)) return request_beside(*refused, before, false);
        if (rest.size() == behind.size() || !concedes(before)) return std::nullopt;
        auto added = single(rest);
        if (!added || added->intents.front().action != kind::create) return std::nullopt;
        if (added->intents.front().title.empty()) return std::nullopt;
        return added;
    }

private:
    std::optional<clause> single(passage words) const {
        auto reading = read_clause(languages_, words, false, clock_);
        if (reading.intents.size() != 1) return std::nullopt;
        return reading;
    }

    std::optional<prohibition> refused_by(passage words) const {
        words = without_openings(language_, words);
        auto const negation = language_.negations.at_begin(words.numbers()).words;
        if (negation == 0) return std::nullopt;
        words = words.without_first(negation);
        if (auto const refused = single(words)) {
            auto const& intent = refused->intents.front();
            // The title of another request may go on behind the comma.
            if (intent.action != kind::complete && intent.action != kind::remove &&
                intent.action != kind::get && intent.action != kind::create)
                return std::nullopt;
            return prohibition{intent.action, intent.task, intent.title, refused->first};
        }
        auto const named = references_in(language_, words);
        if (named.size() != 1 || !refers_by_number(named.front())) return std::nullopt;
        return prohibition{std::nullopt, named.front()};
    }

    // `behind`: the request stands behind what is refused, and its "it" is the task of that.
    std::optional<clause> request_beside(prohibition const& refused, passage words, bool behind)
        const {
        auto reading = single(words);
        if (!reading) return std::nullopt;
        auto& intent = reading->intents.front();
        if (intent.action == kind::get || intent.action == kind::list) {
            if (behind && intent.task.by == by::mentioned) intent.task = refused.task;
            return reading;
        }
        if (intent.action == kind::create || refused.action == kind::create) {
            // "make tea, don't put sugar in it" is one title.
            bool const same_verb = intent.action == kind::create &&
                                   refused.action == kind::create && reading->first == refused.verb;
            if (!same_verb || !are_different_titles(intent.title, refused.title))
                return std::nullopt;
            return reading;
        }
        // "don't delete task 3, it is done" gives a reason.
        if (behind && reading->matched->elements.front().takes) return std::nullopt;
        if (intent.action != kind::complete && intent.action != kind::remove &&
            intent.action != kind::update)
            return std::nullopt;
        intent.confirmed = false; // a yes may belong to either half
        auto const& pronoun = behind ? intent.task : refused.task;
        bool const same = pronoun.by == by::mentioned || is_same(intent.task, refused.task);
        bool const other = are_different(intent.task, refused.task);
        bool const told_apart = refused.action ? (same && intent.action != *refused.action) ||
                                                     (other && intent.action == *refused.action)
                                               : other;
        if (!told_apart) return std::nullopt;
        if (intent.task.by == by::mentioned) intent.task = refused.task;
        return reading;
    }

    // "I know it's late": with what it says nothing is asked for, nor taken back.
    bool concedes(passage words) const {
        auto const concession = language_.concessions.at_begin(words.numbers()).words;
        return concession > 0 && !language_.doubts.contains_any(words.numbers()) &&
               !language_.retractions.contains_any(words.numbers());
    }

    std::span<compiled_language const> languages_;
    compiled_language const& language_;
    wall_clock const& clock_;
};

} // namespace

std::optional<clause> read_contrast(
    std::span<compiled_language const> languages, sentence const& source, wall_clock const& clock
) {
    if (source.asks) return std::nullopt;
    auto const& words = source.words;
    std::size_t commas = 0;
    for (std::size_t at = 1; at < words.size() && commas < most_commas; ++at) {
        if (words[at].before != gap::comma) continue;
        ++commas;
        for (auto const& language : languages) {
            contrast_reader const reader(languages, language, clock);
            if (auto reading = reader.read(words.part(0, at), words.part(at, words.size())))
                return reading;
        }
    }
    return std::nullopt;
}

} // namespace postrider::agent::language
