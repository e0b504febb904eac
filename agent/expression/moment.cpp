#include "agent/expression/moment.hpp"

#include "agent/language/utc_offset.hpp"

namespace postrider::agent::expressions {

using namespace std::chrono;

year_month_day moment::date() const noexcept {
    return year_month_day{floor<days>(wall())};
}
microseconds moment::time_of_day() const noexcept {
    return wall() - floor<days>(wall());
}
int moment::year() const noexcept {
    return static_cast<int>(date().year());
}
int moment::month() const noexcept {
    return static_cast<int>(static_cast<unsigned>(date().month()));
}
int moment::day() const noexcept {
    return static_cast<int>(static_cast<unsigned>(date().day()));
}
int moment::day_of_year() const noexcept {
    auto const new_year = sys_days{date().year() / 1 / 1};
    return static_cast<int>((floor<days>(wall()) - new_year).count()) + 1;
}
int moment::weekday() const noexcept {
    return static_cast<int>(std::chrono::weekday{floor<days>(wall())}.c_encoding());
}
int moment::hour() const noexcept {
    return static_cast<int>(time_of_day() / 1h);
}
int moment::minute() const noexcept {
    return static_cast<int>(time_of_day() % 1h / 1min);
}
int moment::second() const noexcept {
    return static_cast<int>(time_of_day() % 1min / 1s);
}
int moment::millisecond() const noexcept {
    return static_cast<int>(time_of_day() % 1s / 1ms);
}

int moment::iso_week() const noexcept {
    // The week of the year that its Thursday is in.
    auto const today = floor<days>(wall());
    auto const thursday = today + days{4 - (weekday() == 0 ? 7 : weekday())};
    auto const new_year = sys_days{year_month_day{thursday}.year() / 1 / 1};
    return static_cast<int>((thursday - new_year) / weeks{1}) + 1;
}

fallible<zone> zone::find(std::string_view name, budget& budget) {
    constexpr std::size_t unknown = 1000; // steps: each of all zones is compared with the name
    bool const unsigned_offset = name.size() == 5 && name.find(':') == 2; // CEL has 02:00 too
    constexpr std::size_t longest_offset = 20;
    auto const written = (unsigned_offset ? "+" : "") + std::string(name.substr(0, longest_offset));
    if (auto const offset = parse_utc_offset(written); offset && name.size() <= longest_offset)
        return zone{std::string(name), std::nullopt, *offset};
    auto const named = base::find_time_zone(name);
    if (!named && !budget.spend(unknown)) return budget.failure();
    if (!named)
        return failure{"there is no such time zone; one is such as Europe/Berlin, UTC or +02:00"};
    return zone{named->name(), *named, seconds{0}};
}

seconds zone::offset_at(base::sys_time instant) const {
    return named_ ? named_->period_at(instant).offset : fixed_;
}

sys_seconds zone::at(base::local_seconds wall) const {
    if (named_) return named_->at_local(wall).first;
    return sys_seconds{wall.time_since_epoch()} - fixed_;
}

moment moment_at(base::sys_time instant, zone const& place) {
    return {instant, place.offset_at(instant), place.name()};
}

} // namespace postrider::agent::expressions
