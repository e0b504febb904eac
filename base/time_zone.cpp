#include "base/time_zone.hpp"

#include "base/ascii.hpp"
#include "base/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <date/tz.h>
#include <map>
#include <mutex>
#include <stdexcept>

namespace postrider::base {

namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

date::local_seconds foreign(local_seconds t) {
    return date::local_seconds{t.time_since_epoch()};
}

// The library's first and last periods reach beyond what its own calendar can add to.
zone_period period_of(date::sys_info const& info) {
    return {info.begin, info.end, info.offset};
}

std::string folded(std::string_view text) {
    auto name = to_lower(std::string(text));
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '-'; }, '_'
    );
    return name;
}

std::string_view place(std::string_view zone) {
    return zone.substr(zone.rfind('/') + 1); // npos + 1 is 0
}

// By the whole name in any case, by the place alone, then by a slip of the finger in either.
std::string meant_by(std::string_view unknown) {
    auto const folded_name = folded(unknown);
    std::vector<std::string> places;
    std::vector<std::string> names;
    for (auto const& zone : date::get_tzdb().zones) {
        if (folded(zone.name()) == folded_name) return zone.name();
        names.push_back(folded(zone.name()));
        places.emplace_back(place(names.back()));
    }
    auto name_of = [&](std::vector<std::string> const& among, std::string const& name) {
        auto at = static_cast<std::size_t>(std::ranges::find(among, name) - among.begin());
        return at < names.size() ? date::get_tzdb().zones[at].name() : std::string();
    };
    if (auto same = name_of(places, std::string(place(folded_name))); !same.empty()) return same;
    if (auto near = nearest(folded_name, names); !near.empty()) return name_of(names, near);
    return name_of(places, nearest(place(folded_name), places));
}

// UTC needs no database: a caller that wants no other zone does not wait until it is looked through.
constexpr std::string_view utc = "UTC";

zone_period always_utc() {
    return {date::sys_days{date::year::min() / 1 / 1}, date::sys_days{date::year::max() / 12 / 31}};
}

error unknown_zone(std::string_view name) {
    auto const shown_name = std::string(name.substr(0, 64));
    auto const suggestion = name.size() > 64 ? std::string() : meant_by(name);
    return {
        errc::not_found,
        fmt::format(
            "there is no time zone '{}'; {}",
            shown_name,
            suggestion.empty() ? "names are such as Europe/Berlin or UTC"
                               : "did you mean " + suggestion + "?"
        )};
}

} // namespace

struct time_zone::data {
    std::string name;
    date::time_zone const* zone = nullptr; // null: UTC
};

std::string const& time_zone::name() const noexcept {
    return data_->name;
}

zone_period time_zone::period_at(sys_time t) const {
    if (!data_->zone) return always_utc();
    return period_of(data_->zone->get_info(std::chrono::floor<seconds>(t)));
}

local_seconds time_zone::to_local(sys_time t) const {
    auto const whole = std::chrono::floor<seconds>(t);
    return local_seconds{(whole + period_at(t).offset).time_since_epoch()};
}

local_answer time_zone::at_local(local_seconds wall) const {
    auto const instant = sys_seconds{wall.time_since_epoch()};
    local_answer answer{.first = instant, .last = instant, .behind = wall + seconds{1}};
    if (!data_->zone) return answer;
    auto const info = data_->zone->get_info(foreign(wall));
    if (info.result == date::local_info::nonexistent) {
        answer.occurrence = local_answer::kind::skipped;
        answer.first = answer.last = info.first.end;
        answer.behind = local_seconds{(info.first.end + info.second.offset).time_since_epoch()};
    } else if (info.result == date::local_info::ambiguous) {
        answer.occurrence = local_answer::kind::twice;
        answer.first = instant - info.first.offset;
        answer.last = instant - info.second.offset;
        answer.behind = local_seconds{(info.first.end + info.first.offset).time_since_epoch()};
    } else {
        answer.first = answer.last = instant - info.first.offset;
    }
    return answer;
}

result<time_zone> find_time_zone(std::string_view name) {
    static std::mutex guard;
    static std::map<std::string, time_zone::data, std::less<>>
        loaded_zones; // handles point into it
    std::lock_guard lock{guard};
    if (auto found = loaded_zones.find(name); found != loaded_zones.end())
        return time_zone(found->second);
    auto const remember = [&](date::time_zone const* zone) {
        auto const text = std::string(name);
        return time_zone(loaded_zones.emplace(text, time_zone::data{text, zone}).first->second);
    };
    if (name == utc) return remember(nullptr);
    try {
        auto const& zones = date::get_tzdb().zones;
        auto const at = std::ranges::find(zones, name, [](auto const& zone) -> std::string const& {
            return zone.name();
        });
        if (at == zones.end()) return unknown_zone(name);
        (void)at->get_info(sys_seconds{}); // read now, so that a damaged file shows here
        return remember(&*at);
    } catch (std::runtime_error const& e) {
        return error(
            errc::unavailable,
            std::string("the time zones of this machine cannot be read (package tzdata): ") +
                e.what()
        );
    }
}

std::vector<std::string> time_zone_names() {
    std::vector<std::string> names;
    for (auto const& zone : date::get_tzdb().zones) names.push_back(zone.name());
    return names;
}

std::optional<local_seconds> local_from_iso8601(std::string_view text) {
    auto whole = std::string(text);
    if (whole.size() == std::string_view("2026-11-21T08:53").size()) whole += ":00";
    if (whole.size() != std::string_view("2026-11-21T08:53:00").size()) return std::nullopt;
    auto const as_utc = from_iso8601(whole + "Z");
    if (!as_utc) return std::nullopt;
    return local_seconds{std::chrono::floor<seconds>(*as_utc).time_since_epoch()};
}

std::string to_iso8601(sys_time t, seconds offset) {
    auto text = to_iso8601(std::chrono::floor<seconds>(t) + offset);
    if (offset == seconds{0}) return text;
    text.pop_back(); // Z
    auto const away = std::chrono::floor<std::chrono::minutes>(std::chrono::abs(offset)).count();
    return text +
           fmt::format("{}{:02}:{:02}", offset < seconds{0} ? '-' : '+', away / 60, away % 60);
}

std::string to_iso8601(sys_time t, time_zone const& zone) {
    return to_iso8601(t, zone.period_at(t).offset);
}

} // namespace postrider::base
