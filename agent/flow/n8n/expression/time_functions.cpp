// Where instants come from: DateTime and Date.
#include "agent/flow/n8n/expression/converter.hpp"

#include <array>

namespace postrider::agent::flow::n8n {

namespace {

term current_time(converter&, term const&, script::node const&) {
    return {.text = "$now", .shape = shape::instant, .simple = true};
}

term current_milliseconds(converter&, term const&, script::node const&) {
    return term_of("$now.unixMillis()", shape::number);
}

// new Date(), new Date(milliseconds), new Date("2026-11-21")
term date_of(converter& in, term const& none, script::node const& call) {
    auto const* first = argument(call, 0);
    return first ? as_instant(in.value_of(*first)) : current_time(in, none, call);
}

term instant_from_text(converter& in, term const&, script::node const& call) {
    return as_instant(in.value_of(*argument(call, 0)));
}

term instant_from_milliseconds(converter& in, term const&, script::node const& call) {
    auto value = in.value_of(*argument(call, 0));
    value.shape = shape::number;
    return as_instant(value);
}

term instant_from_seconds(converter& in, term const&, script::node const& call) {
    return term_of("timestamp(" + in.value_of(*argument(call, 0)).text + ")", shape::instant);
}

term instant_from_format(converter& in, term const&, script::node const& call) {
    auto const text = in.value_of(*argument(call, 0));
    auto const format = in.constant_text(*argument(call, 1));
    if (argument(call, 2)) return in.refuse("the options of a date have no counterpart");
    auto const readable = format ? readable_format(*format) : std::nullopt;
    if (!readable) return in.refuse("the format of a date has no counterpart");
    return term_of("timestamp(" + text.text + ", " + text_literal(*readable) + ")", shape::instant);
}

constexpr std::array time_functions_here{
    method{"new Date", 0, 1, date_of},
    method{"Date.now", 0, 0, current_milliseconds},
    method{"DateTime.now", 0, 0, current_time},
    method{"DateTime.utc", 0, 0, current_time},
    method{"DateTime.local", 0, 0, current_time},
    method{"DateTime.fromISO", 1, 2, instant_from_text},
    method{"DateTime.fromJSDate", 1, 1, instant_from_text},
    method{"DateTime.fromMillis", 1, 1, instant_from_milliseconds},
    method{"DateTime.fromSeconds", 1, 1, instant_from_seconds},
    method{"DateTime.fromFormat", 2, 3, instant_from_format},
};

} // namespace

std::span<method const> time_functions() {
    return time_functions_here;
}

} // namespace postrider::agent::flow::n8n
