#include "server/telegram/messenger_limits.hpp"

#include "base/log.hpp"

namespace postrider::telegram {

base::error out_of_time() {
    return {base::errc::timeout, "no time is left for another form of the message"};
}

void log_unstored(std::string_view state, bot_id bot, base::result<void> const& stored) {
    if (!stored)
        base::log::warn(
            "telegram.not_stored", {{"what", state}, {"bot", bot}, {"error", stored.error()}}
        );
}

void log_objection(bot_id bot, objection objection) {
    base::log::warn("telegram.form_refused", {{"bot", bot}, {"objection", to_string(objection)}});
}

} // namespace postrider::telegram
