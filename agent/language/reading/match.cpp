#include "agent/language/reading/match.hpp"

#include "agent/language/reading/past_verbs.hpp"
#include "agent/language/times/time_parser.hpp"

#include <algorithm>
#include <utility>

namespace postrider::agent::language {

namespace {

// "from the 24th of December to the second of January 2027"
constexpr std::size_t most_words_of_time = 14;

class matcher {
public:
    matcher(
        compiled_language const& language,
        compiled_form const& source,
        passage const& words,
        time_check const& may_be_time
    )
        : language_(language),
          form_(source),
          passage_(words),
          words_(words.numbers()),
          may_be_time_(may_be_time) {
        found_.matched = &source;
    }

    std::optional<form_match> match() {
        if (!goes_on(0, 0, 0)) return std::nullopt;
        return found_;
    }

private:
    bool goes_on(std::size_t index, std::size_t at, std::size_t own) {
        if (index == form_.elements.size()) {
            found_.own_words = own;
            return at == words_.size();
        }
        auto const& part = form_.elements[index];
        if (part.takes) return take(*part.takes, index, at, own);
        for (auto const& alternative : part.alternatives)
            if (starts_with(alternative, at) &&
                goes_on(index + 1, at + alternative.size(), own + alternative.size()))
                return true;
        return part.optional && goes_on(index + 1, at, own);
    }

    bool take(slot target, std::size_t index, std::size_t at, std::size_t own) {
        bool const misplaced = target == slot::title && form_.source->colon &&
                               (at >= words_.size() || passage_[at].before != gap::colon);
        if (misplaced) return false;
        if (target == slot::verb) {
            if (!is_past(at) || !goes_on(index + 1, at + 1, own)) return false;
            found_.slots[static_cast<std::size_t>(target)] = {at, at + 1};
            return true;
        }
        if (target == slot::priority || target == slot::level) {
            auto const& phrases_of_slot =
                target == slot::priority ? language_.priorities : language_.levels;
            auto const said =
                at < words_.size() ? phrases_of_slot.at_begin(words_.subspan(at)).words : 0;
            bool const apart = form_.source->set_off;
            if (said == 0 || (apart && !is_set_off(at))) return false;
            if (!goes_on(index + 1, at + said, apart ? own : own + said)) return false;
            found_.slots[static_cast<std::size_t>(target)] = {at, at + said};
            return true;
        }
        auto& range = found_.slots[static_cast<std::size_t>(target)];
        bool const sets_time = target == slot::time && form_.source->action == intent::kind::create;
        if (sets_time && take_time(range, index, at, own)) return true;
        bool const last = index + 1 == form_.elements.size();
        for (auto end = last ? std::max(words_.size(), at + 1) : at + 1; end <= words_.size();
             ++end) {
            if (target == slot::task && form_.source->numbered && !is_number(at, end) &&
                !is_pronoun(at, end))
                return false;
            if (target == slot::task && form_.source->titled && is_pronoun(at, end)) continue;
            if (target == slot::time && end - at > most_words_of_time) return false;
            if (sets_time && !recurs(at)) return false;
            if (!goes_on(index + 1, end, own)) continue;
            if (target == slot::time && !is_time(at, end)) continue;
            range = {at, end};
            return true;
        }
        return false;
    }

    // As many words as are one: "demain à trois heures de l'après-midi | d'appeler Anne".
    bool take_time(auto& range, std::size_t index, std::size_t at, std::size_t own) {
        for (auto end = words_.size(); end > at; --end) {
            if (!parse_time(language_, passage_.part(at, end), true)) continue;
            if (!goes_on(index + 1, end, own)) continue;
            range = {at, end};
            return true;
        }
        return false;
    }

    // "gym: …", "gym - …", not "gym-…".
    bool is_set_off(std::size_t at) const {
        if (at == 0 || passage_[at].before == gap::colon) return at > 0;
        auto between = passage_.between(at);
        if (!between.starts_with(' ')) return false;
        between.remove_prefix(std::min(between.find_first_not_of(' '), between.size()));
        constexpr std::array<std::string_view, 3> dashes{"-", "–", "—"};
        return std::ranges::any_of(dashes, [&](std::string_view dash) {
            return between.starts_with(dash) &&
                   between.find_first_not_of(' ', dash.size()) == between.npos;
        });
    }

    bool recurs(std::size_t at) const {
        return language_.times.recurring.at_begin(words_.subspan(at)).words > 0;
    }

    bool is_number(std::size_t at, std::size_t end) const {
        return end == at + 1 && end <= words_.size() && !passage_[at].quoted &&
               passage_[at].text.find_first_not_of("0123456789") == std::string::npos;
    }

    bool is_pronoun(std::size_t at, std::size_t end) const {
        return end <= words_.size() && language_.pronouns.is(words_.subspan(at, end - at));
    }

    bool is_time(std::size_t at, std::size_t end) const {
        return !may_be_time_ || may_be_time_(*form_.source, passage_.part(at, end));
    }

    bool is_past(std::size_t at) const {
        return at < words_.size() && !passage_[at].quoted &&
               !infinitives_of(language_, passage_.part(at, at + 1)).empty();
    }

    bool starts_with(word_numbers const& phrase, std::size_t at) const {
        return phrase.size() <= words_.size() - at &&
               std::ranges::equal(phrase, words_.subspan(at, phrase.size()));
    }

    compiled_language const& language_;
    compiled_form const& form_;
    passage const& passage_;
    word_span words_;
    time_check const& may_be_time_;
    form_match found_;
};

// Of two, the one that has a place for the time.
std::pair<std::size_t, bool> fitness(
    compiled_language const& language, passage words, form_match const& match
) {
    auto const& time = match.at(slot::time);
    bool const creates = match.matched->source->action == intent::kind::create;
    bool const sets_time =
        creates && time && parse_time(language, words.part(time->begin, time->end), true);
    return {match.own_words, sets_time};
}

} // namespace

std::optional<form_match> best_match(
    compiled_language const& language, passage words, time_check const& may_be_time
) {
    auto candidates = language.wordless_forms;
    for (auto number : words.numbers()) {
        auto const forms =
            number == 0 ? language.forms_by_key.end() : language.forms_by_key.find(number);
        if (forms == language.forms_by_key.end()) continue;
        candidates.insert(candidates.end(), forms->second.begin(), forms->second.end());
    }
    std::ranges::sort(candidates);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());

    std::optional<form_match> best;
    for (auto index : candidates) {
        auto const match = matcher(language, language.forms[index], words, may_be_time).match();
        if (match && (!best || fitness(language, words, *match) > fitness(language, words, *best)))
            best = match;
    }
    return best;
}

} // namespace postrider::agent::language
