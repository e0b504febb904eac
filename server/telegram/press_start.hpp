#pragma once
// What a press below a catch starts: a job in the lane of moderation of its group, and the key by which presses of one button by
// one person within a minute are one. Pure.
#include "agent/flow/start/execution_unit.hpp"
#include "agent/moderation/press_job.hpp"
#include "base/clock.hpp"
#include "server/telegram/disposition.hpp"
#include "storage/stores/request_keys.hpp"

namespace postrider::telegram {

agent::flow::execution_start start_of_press(to_catch_press const& press);
storage::request_key button_of(to_catch_press const& press, base::sys_time now);

// Of one that starts nothing: the rule by which it is ignored, and what the person is told.
struct declined_press {
    std::string_view rule;
    std::string_view note;
};
inline to_nothing ignored_by(declined_press const& press) {
    return {std::string(press.rule), {}, {}};
}
inline constexpr declined_press too_many_presses{
    "presses_per_minute", "Too many presses. Wait a minute."};
inline constexpr declined_press not_administrator{"not_administrator", agent::not_an_administrator};

} // namespace postrider::telegram
