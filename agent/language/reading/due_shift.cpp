#include "agent/language/reading/due_shift.hpp"

#include "agent/language/reference.hpp"
#include "agent/language/times/time_token.hpp"

namespace postrider::agent::language {

namespace {

constexpr std::int64_t most_units = 1000;

// One number with its unit, or "half an hour"; what it takes of the words. 0: they begin with none.
std::size_t take_length(compiled_language const& language, passage words, due_shift& into) {
    if (words.empty() || words[0].quoted) return 0;
    if (auto const token = read_span_token(words[0].text)) {
        into.length += *token;
        return 1;
    }
    auto const& times = language.times;
    // "de quinze jours"
    if (auto const named = times.spans.at_begin(words.numbers()); named.words > 0) {
        into.length += std::chrono::minutes(named.value);
        return named.words;
    }
    if (auto const half = times.half.at_begin(words.numbers()).words; half > 0) {
        auto const unit = times.units.at_begin(words.numbers().subspan(half));
        if (unit.words == 0 || unit.value < 0) return 0;
        into.length += std::chrono::seconds(unit.value * 30);
        return half + unit.words;
    }
    auto const named = language.numbers.at_begin(words.numbers()).words;
    auto counting = std::max<std::size_t>(named, 1);
    auto count = number_of(language, words.part(0, std::min(counting, words.size())));
    // "на неделю", not "a few days"
    auto const with_word = words.with_word_before();
    bool const is_led = with_word.size() > words.size() &&
                        times.on.at_end(with_word.part(0, 1).numbers()).words > 0;
    if (!count && !is_led) return 0;
    if (!count) counting = 0;
    auto const unit = times.units.at_begin(words.without_first(counting).numbers());
    if (unit.words == 0 || count.value_or(1) > most_units) return 0;
    auto const number = static_cast<int>(count.value_or(1));
    if (unit.value < 0)
        into.months -= unit.value * number;
    else
        into.length += std::chrono::minutes(unit.value) * number;
    return counting + unit.words;
}

} // namespace

std::optional<due_shift> read_shift(compiled_language const& language, passage words) {
    due_shift shift;
    while (!words.empty()) {
        auto const taken = take_length(language, words, shift);
        if (taken == 0) return std::nullopt;
        words = words.without_first(taken);
        auto const joining = language.conjunctions.at_begin(words.numbers()).words;
        if (joining > 0 && joining == words.size()) return std::nullopt;
        words = words.without_first(joining);
    }
    if (shift == due_shift{}) return std::nullopt;
    return shift;
}

} // namespace postrider::agent::language
