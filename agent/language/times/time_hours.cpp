#include "agent/language/times/time_reader.hpp"

namespace postrider::agent::language {

// Minutes that are counted, as in "ten to nine", are as often a range of something else.
bool time_reader::read_part_of_hour() {
    auto const before = times_.clock_before.at_begin(rest());
    if (before.words == 0 && !at_pending_) return false;
    auto const first = at_ + before.words;
    if (first >= words_.size()) return false;
    auto const named = language_.numbers.at_begin(rest().subspan(before.words)).words;
    auto words = std::max<std::size_t>(named, 1);
    auto hour = number_of(language_, words_.part(first, first + words));
    // "в половине восьмого": the hour that is running.
    auto const running = language_.ordinals.at_begin(rest().subspan(before.words));
    if (!hour && before.words > 0 && running.words > 0) {
        hour = running.value;
        words = running.words;
    }
    if (!hour || *hour < 1 || *hour > 24) return false;
    auto const rest_behind = rest().subspan(before.words + words);
    auto const behind = times_.clock_behind.at_begin(rest_behind);
    if (before.words + behind.words == 0) return false;
    bool const is_led =
        at_pending_ || is_dated() || begins_day(rest_behind) || begins_mark(rest_behind);
    bool const is_counted = number_of(language_, words_.part(at_, at_ + 1)).has_value() ||
                            language_.source->times.at.empty();
    if (is_counted && !is_led) return false;
    if (!set_time(static_cast<int>(*hour) * 60 + before.value + behind.value)) return false;
    at_ += before.words + words + behind.words;
    parts_.names_half |= *hour > 12;
    at_pending_ = filler_last_ = false;
    return true;
}

bool time_reader::read_named_clock() {
    auto const match = times_.clock_named.at_begin(rest());
    auto const behind = rest().subspan(match.words);
    bool const is_led = at_pending_ || match.words > 1 || parts_.part || is_dated() ||
                        begins_day(behind) || begins_mark(behind);
    if (match.words == 0 || !is_led || !set_time(match.value)) return false;
    at_ += match.words;
    at_pending_ = filler_last_ = false;
    return true;
}

// Where something follows, the number may be of that: "um 9 Uhr 20 Leute anrufen"; hardly behind "15 h".
void time_reader::read_minutes_of_hour() {
    if (at_ >= words_.size() || *parts_.minutes % 60 != 0) return;
    auto const& text = words_[at_].text;
    if (!is_minutes(text)) return;
    auto const behind = rest().subspan(1);
    auto const unit = times_.units.at_begin(behind);
    bool const is_marked = unit.words > 0 && unit.value == 1;
    bool const is_short = words_[at_ - 1].text.size() <= std::string_view("ч").size();
    bool const ends = behind.empty() && (is_asked_ || words_.is_set_off());
    if (!is_marked && !is_short && !ends && !begins_day(behind)) return;
    *parts_.minutes += std::stoi(text);
    at_ += 1 + (is_marked ? unit.words : 0);
}

// "at 3.50" is a price, and "ab 3.12" a version: a mark or a day beside it makes it a time.
bool time_reader::read_dotted_clock() {
    auto const minutes = read_dotted_time(words_[at_].text);
    auto const behind = rest().subspan(1);
    bool const beside_day = is_dated() || begins_day(behind);
    bool const marked = begins_mark(behind) || (at_pending_ && beside_day && !times_.twelve_hours);
    if (!minutes || !marked || !set_time(*minutes)) return false;
    parts_.names_half |= *minutes >= 13 * 60;
    ++at_;
    at_pending_ = filler_last_ = false;
    return true;
}

bool time_reader::read_divided_date() {
    if (at_ + 1 >= words_.size() || parts_.month_day || parts_.month) return false;
    auto const part = [&](std::size_t at, std::int64_t most) -> std::optional<unsigned> {
        auto const& text = words_[at].text;
        if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
        auto const number = number_of(language_, words_.part(at, at + 1));
        if (!number || *number < 1 || *number > most) return std::nullopt;
        if (!words_.behind_word(at).starts_with('.')) return std::nullopt;
        return static_cast<unsigned>(*number);
    };
    auto const day = part(at_, 31);
    auto const month = part(at_ + 1, 12);
    if (!day || !month) return false;
    parts_.month = month;
    return set(parts_.month_day, *day, 2);
}

} // namespace postrider::agent::language
