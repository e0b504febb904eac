#include "agent/expression/time_arguments.hpp"

#include "agent/expression/values.hpp"

#include <boost/json/string.hpp>

namespace postrider::agent::expressions {

fallible<timestamp> instant_argument(call const& call, std::size_t index) {
    auto const text = call.text(index);
    if (!text) return text.error();
    if (auto const instant = read_timestamp(*text)) return *instant;
    return failure{"the string is no instant; one is such as 2026-11-21T08:53:00Z, and "
                   "timestamp(text, \"Europe/Berlin\") reads one without a zone"};
}

fallible<double> duration_argument(call const& call, std::size_t index) {
    auto const& value = call[index];
    if (value.is_number()) return value.to_number<double>();
    auto const* text = value.if_string();
    if (!text)
        return call.unfit(
            index, "a duration, a number of seconds, or a number with a unit behind it"
        );
    if (auto const span = read_duration(view(*text))) return *span;
    return failure{"the string is no duration; one is such as 1h30m, 90s or 250ms"};
}

fallible<zone> zone_argument(call const& call, std::size_t index) {
    auto const name = call.count() > index ? call.text(index) : std::string_view("UTC");
    if (!name) return name.error();
    return zone::find(*name, call.budget);
}

fallible<moment> moment_argument(call const& call, std::size_t instant, std::size_t zone) {
    auto const moment = instant_argument(call, instant);
    if (!moment) return moment.error();
    auto const place = zone_argument(call, zone);
    if (!place) return place.error();
    return moment_at(moment->instant(), *place);
}

} // namespace postrider::agent::expressions
