// Any text: cron::parse() refuses or accepts it, and what it accepts has next times that ascend, on
// whole seconds, in zones with changes of an hour, of half an hour and of a whole day.
#include "base/cron.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

using namespace postrider::base;

void require(bool held) {
    if (!held) std::abort();
}

time_zone const& zone_of(std::uint8_t choice) {
    static time_zone const zones[] = {
        find_time_zone("UTC").value(),
        find_time_zone("Europe/Berlin").value(),
        find_time_zone("Australia/Lord_Howe").value(),
        find_time_zone("Pacific/Apia").value(),
    };
    return zones[choice % std::size(zones)];
}

} // namespace

// The first five bytes choose zone and time, the rest is the expression.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size < 5) return 0;
    auto const& zone = zone_of(data[0]);
    std::uint32_t start = 0;
    std::memcpy(&start, data + 1, sizeof start);
    auto const schedule = cron::parse({reinterpret_cast<char const*>(data) + 5, size - 5});
    if (!schedule) return 0;

    sys_time last{std::chrono::seconds{start}};
    for (int n = 0; n < 50; ++n) {
        auto const next = schedule->next(last, zone);
        require(next.has_value());
        require(*next > last);
        require(next->time_since_epoch() % std::chrono::seconds{1} == std::chrono::seconds{0});
        if (schedule->by_real_time()) require(schedule->matches(zone.to_local(*next)));
        last = *next;
    }
    return 0;
}
