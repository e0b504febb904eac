#include "server/telegram/delivery.hpp"

#include "agent/speech/failure_notice.hpp"
#include "agent/talk/press.hpp"
#include "storage/stores/chat_events.hpp"
#include "storage/stores/chats.hpp"
#include "storage/stores/strangers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::telegram {

namespace {

constexpr std::string_view messages_per_minute_rule = "messages_per_minute";

} // namespace

storage::inbox_row inbox_row_of(bot_id bot, update_id update, disposition const& decided) {
    storage::inbox_row row;
    row.bot = bot;
    row.update = update;
    if (auto* job = std::get_if<to_job>(&decided)) {
        row.disposition = "job";
        row.heard_from = job->heard.from.chat;
    } else if (auto* nothing = std::get_if<to_nothing>(&decided)) {
        row.disposition = "ignored";
        row.reason = nothing->rule;
    } else {
        row.disposition = "event";
    }
    return row;
}

std::optional<storage::write> turn_delivery::gate() {
    beyond_.reset();
    is_explained_ = false;
    return storage::add_update(inbox_);
}

std::vector<storage::write> turn_delivery::meter() {
    std::vector<storage::write> rows;
    if (part_) rows.push_back(storage::claim_key(part_->album));
    if (limit_.most != 0) rows.push_back(storage::count_message(limit_.message.user));
    return rows;
}

bool turn_delivery::passes(std::vector<storage::rows> const& counted) {
    is_explained_ = part_ && !part_->has_words && counted.front().empty();
    if (limit_.most != 0) {
        auto const count = storage::read_message_count(counted.back().at(0));
        if (count.place > limit_.most) beyond_ = count;
    }
    return !is_ignored();
}

std::vector<storage::write> turn_delivery::decline(std::vector<storage::rows> const& returned) {
    if (!is_ignored() || !returned.empty()) return {};
    if (!beyond_) return {storage::ignore_update(inbox_.bot, inbox_.update, no_text_rule)};
    std::vector<storage::write> rows{
        storage::ignore_update(inbox_.bot, inbox_.update, messages_per_minute_rule)};
    if (beyond_->place != limit_.most + 1) return rows;
    auto const& message = limit_.message;
    auto notice = agent::tell_instead_of_turn(
        "limits:" + agent::place_of(message.from),
        lane_key(),
        message.from,
        message.message,
        fmt::format(
            "You have reached the limit of {} messages a minute. I leave out this message and what "
            "else comes within the next {} seconds.",
            limit_.most,
            beyond_->opens.count()
        )
    );
    std::ranges::move(notice, std::back_inserter(rows));
    return rows;
}

std::vector<storage::write> unanswered_delivery::stage(
    int number, std::vector<storage::rows> const& returned
) {
    switch (number) {
    case 0:
        is_new_ = false;
        return {storage::add_update(inbox_), storage::find_or_add_lane(lane_)};
    case 1:
        is_new_ = !returned.at(0).empty();
        if (!is_new_) return {};
        message_.lane = storage::read_lane(returned.at(1).at(0));
        return {storage::add_unanswered_message(message_)};
    default:
        if (is_new_ && returned.at(0).empty()) throw agent::flow::lane_is_gone();
        return {};
    }
}

std::vector<storage::write> press_delivery::stage(
    int number, std::vector<storage::rows> const& returned
) {
    switch (number) {
    case 0:
        is_new_ = false;
        outcome_ = storage::press_outcome::not_open;
        return {storage::add_update(inbox_)};
    case 1:
        is_new_ = !returned.at(0).empty();
        if (!is_new_ || press_.question.empty()) return {};
        return {storage::press_button(press_)};
    default:
        if (is_new_ && !returned.empty() && !returned.at(0).empty())
            outcome_ = storage::read_press(returned.at(0).at(0));
        return {};
    }
}

std::vector<storage::write> delivery::stage(
    int number, std::vector<storage::rows> const& returned
) {
    switch (number) {
    case 0:
        is_new_ = false;
        return {storage::add_update(inbox_)};
    case 1:
        is_new_ = !returned.at(0).empty();
        return is_new_ ? consequences() : std::vector<storage::write>{};
    default:
        return {};
    }
}

bool delivery::changes_lane() const {
    auto const* nothing = std::get_if<to_nothing>(&decided_);
    return std::holds_alternative<to_edit>(decided_) ||
           std::holds_alternative<to_member_event>(decided_) || (nothing && nothing->moved);
}

std::vector<storage::write> delivery::consequences() const {
    if (auto* told = std::get_if<to_edit>(&decided_))
        return agent::apply_edit(told->edit, told->lane_key);
    if (auto* told = std::get_if<to_member_event>(&decided_)) {
        auto const& change = told->change;
        return {storage::tell_chat(
            change.at.bot, change.at.chat, agent::member_event, to_json(change)
        )};
    }
    auto* nothing = std::get_if<to_nothing>(&decided_);
    if (nothing && nothing->stranger) {
        auto const& sender = *nothing->stranger;
        return storage::count_stranger({inbox_.bot, sender.user, sender.chat, sender.name});
    }
    if (nothing && nothing->moved)
        return {storage::migrate_chat(inbox_.bot, nothing->moved->from, nothing->moved->to)};
    return {};
}

} // namespace postrider::telegram
