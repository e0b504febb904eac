#include "server/telegram/press_start.hpp"

namespace postrider::telegram {

agent::flow::execution_start start_of_press(to_catch_press const& press) {
    agent::address const group{press.at.bot, press.choice.key.chat};
    agent::flow::execution_start start;
    start.lane.key = agent::lane_of_moderation(group);
    start.lane.bot = group.bot;
    start.job.kind = std::string(agent::catch_press_kind);
    start.job.input = agent::catch_press_input(press.choice, press.press, press.at, press.is_owner);
    return start;
}

storage::request_key button_of(to_catch_press const& press, base::sys_time now) {
    auto const minute = std::chrono::floor<std::chrono::minutes>(now).time_since_epoch().count();
    storage::request_key button;
    button.scope = "catch_press:" + agent::place_of(press.at);
    button.key = agent::catch_button_data(press.choice.choice, press.choice.key) + " " +
                 base::to_string(press.press.user) + " " + std::to_string(minute);
    return button;
}

} // namespace postrider::telegram
