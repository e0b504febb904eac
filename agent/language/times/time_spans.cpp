#include "agent/language/times/time_reader.hpp"

namespace postrider::agent::language {

namespace {

constexpr int minutes_in_day = 24 * 60;
constexpr int minutes_in_week = 7 * minutes_in_day;

} // namespace

bool time_reader::read_day() {
    auto const part = times_.day_parts.at_begin(rest());
    if (part.words > 0 && (parts_.weekday || parts_.days))
        return set(parts_.part, part.value, part.words);
    auto const day = times_.days.at_begin(rest());
    return day.words > 0 && set(parts_.days, day.value, day.words);
}

bool time_reader::read_next() {
    auto const match = times_.next.at_begin(rest());
    if (match.words == 0) return false;
    bool const is_current = times_.current.at_begin(rest()).words == match.words;
    auto const unit = times_.units.at_begin(rest().subspan(match.words));
    if (unit.words > 0) {
        if (unit.value == minutes_in_week) parts_.week = is_current ? 0 : 1;
        within_ |= unit.value >= minutes_in_day;
        return add_span(1, unit.value, match.words + unit.words);
    }
    // "mercredi prochain"
    filler_last_ = at_ == 0 || times_.behind.at_begin(rest()).words < match.words;
    at_ += match.words;
    return true;
}

bool time_reader::read_unit_with_next() {
    auto const unit = times_.units.at_begin(rest());
    if (unit.words == 0 || unit.value != minutes_in_week) return false;
    auto const behind = rest().subspan(unit.words);
    auto const next = times_.behind.at_begin(behind).words;
    if (next == 0 || times_.next.at_begin(behind).words < next || parts_.week) return false;
    parts_.week = 1;
    within_ = needs_weekday_ = true;
    return add_span(1, unit.value, unit.words + next);
}

bool time_reader::read_within() {
    auto const match = times_.within.at_begin(rest());
    // "2 ghante mein", "2 hours from now"; not "a week in Rome".
    auto const is_behind = [&] { return parts_.span || parts_.span_months; };
    bool const may_be_behind = language_.source->times.on.empty() || match.words > 1;
    if (match.words == 0 || (is_behind() && !may_be_behind)) return false;
    within_ = true;
    // "d'ici 14h30" is until that hour.
    span_ahead_ = times_.on.at_begin(rest()).words < match.words;
    take_clock_as_span();
    at_ += match.words;
    // Behind its span it ends one ("2 ghante mein"), before one it begins it.
    filler_last_ = !is_behind();
    return true;
}

void time_reader::take_clock_as_span() {
    if (!clock_span_ || !span_ahead_ || parts_.span) return;
    parts_.span = clock_span_;
    parts_.exact_span = true;
    parts_.minutes.reset();
    parts_.names_half = false;
}

bool time_reader::read_joint() {
    if (!parts_.span) return false;
    auto const joining = language_.conjunctions.at_begin(rest()).words;
    if (joining == 0) return false;
    auto const half = times_.half.at_begin(rest().subspan(joining)).words;
    if (half > 0 && last_unit_ > 1)
        return add_exact(std::chrono::seconds(last_unit_ * 30), joining + half);
    if (!begins_span(at_ + joining)) return false;
    at_ += joining;
    filler_last_ = true;
    return true;
}

bool time_reader::begins_span(std::size_t at) const {
    if (at >= words_.size() || words_[at].quoted) return false;
    if (read_span_token(words_[at].text)) return true;
    auto const behind = words_.numbers().subspan(at);
    auto const words = std::max<std::size_t>(language_.numbers.at_begin(behind).words, 1);
    return number_of(language_, words_.part(at, at + words)) && is_unit(behind.subspan(words));
}

bool time_reader::is_unit(word_span words) const {
    return times_.units.at_begin(words).words > 0 || times_.seconds.at_begin(words).words > 0;
}

bool time_reader::read_half() {
    auto const match = times_.half.at_begin(rest());
    if (match.words == 0) return false;
    auto const unit = times_.units.at_begin(rest().subspan(match.words));
    if (unit.words == 0 || unit.value <= 1 || parts_.span) return false;
    parts_.exact_span = unit.value < minutes_in_day;
    std::chrono::seconds const half = std::chrono::minutes(unit.value / 2);
    return set(parts_.span, half, match.words + unit.words);
}

bool time_reader::read_span() {
    auto const& text = words_[at_].text;
    if (auto const token = read_span_token(text)) {
        bool const in_span = span_ahead_ && !at_pending_ &&
                             ((!parts_.span && !parts_.span_months) || parts_.exact_span);
        if (in_span || !read_time_token(text)) return add_exact(*token, 1);
        clock_span_ = token;
        return false;
    }
    auto const hundredths = read_decimal(text);
    if (!hundredths) return false;
    auto const unit = times_.units.at_begin(rest().subspan(1));
    if (unit.words == 0 || unit.value < 0) return false;
    // Of a minute 60 seconds, of which a hundredth is no whole one.
    std::chrono::seconds const length(std::int64_t{*hundredths} * unit.value * 60 / 100);
    return add_exact(length, 1 + unit.words);
}

phrase_set::match time_reader::half_behind(word_span words) const {
    auto const joining = language_.conjunctions.at_begin(words).words;
    auto const half = times_.half.at_begin(words.subspan(joining)).words;
    if (joining == 0 || half == 0) return {};
    auto const unit = times_.units.at_begin(words.subspan(joining + half));
    if (unit.words == 0 || unit.value <= 1) return {};
    return {joining + half + unit.words, unit.value};
}

bool time_reader::read_named_span() {
    auto const match = times_.spans.at_begin(rest());
    return match.words > 0 && !at_pending_ && !parts_.span && add_span(1, match.value, match.words);
}

bool time_reader::add_span(int count, int unit, std::size_t words) {
    if (count > 1000) return false;
    if (unit < 0) {
        if (parts_.span_months) return false;
        parts_.span_months = -unit * count;
    } else {
        if (parts_.span && unit * count >= minutes_in_day) return false;
        parts_.span =
            parts_.span.value_or(std::chrono::seconds(0)) + std::chrono::minutes(unit) * count;
        parts_.exact_span |= unit < minutes_in_day;
        last_unit_ = unit;
    }
    at_ += words;
    filler_last_ = false;
    return true;
}

bool time_reader::add_exact(std::chrono::seconds length, std::size_t words) {
    parts_.span = parts_.span.value_or(std::chrono::seconds(0)) + length;
    parts_.exact_span = true;
    last_unit_ = 0;
    at_ += words;
    filler_last_ = false;
    return true;
}

} // namespace postrider::agent::language
