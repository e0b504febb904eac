#include "agent/language/reading/match.hpp"

#include "agent/language/reading/past_verbs.hpp"

#include <algorithm>

namespace postrider::agent::language {

namespace {

class matcher {
public:
    matcher(compiled_language const& language, compiled_form const& source, passage const& words)
        : language_(language),
          form_(source),
          passage_(words),
          words_(words.numbers()) {
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
        auto& range = found_.slots[static_cast<std::size_t>(target)];
        bool const last = index + 1 == form_.elements.size();
        for (auto end = last ? std::max(words_.size(), at + 1) : at + 1; end <= words_.size();
             ++end) {
            if (target == slot::task && form_.source->numbered && !is_number(at, end)) return false;
            if (!goes_on(index + 1, end, own)) continue;
            range = {at, end};
            return true;
        }
        return false;
    }

    bool is_number(std::size_t at, std::size_t end) const {
        return end == at + 1 && end <= words_.size() && !passage_[at].quoted &&
               passage_[at].text.find_first_not_of("0123456789") == std::string::npos;
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
    form_match found_;
};

} // namespace

std::optional<form_match> best_match(compiled_language const& language, passage words) {
    std::vector<std::size_t> candidates;
    for (auto number : words.numbers()) {
        auto const found =
            number == 0 ? language.forms_by_key.end() : language.forms_by_key.find(number);
        if (found == language.forms_by_key.end()) continue;
        candidates.insert(candidates.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(candidates);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());

    std::optional<form_match> best;
    for (auto index : candidates) {
        auto const match = matcher(language, language.forms[index], words).match();
        if (match && (!best || match->own_words > best->own_words)) best = match;
    }
    return best;
}

} // namespace postrider::agent::language
