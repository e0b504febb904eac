#include "server/telegram/delivery.hpp"

#include "storage/stores/chats.hpp"
#include "storage/stores/strangers.hpp"

namespace postrider::telegram {

namespace {

storage::inbox_row inbox_row_of(bot_id bot, update_id update, disposition const& what) {
    storage::inbox_row row;
    row.bot = bot;
    row.update = update;
    if (auto* job = std::get_if<to_job>(&what)) {
        row.disposition = "job";
        row.heard_from = job->heard.from.chat;
    } else if (std::holds_alternative<to_edit>(what)) {
        row.disposition = "event";
    } else {
        row.disposition = "ignored";
        row.reason = std::get<to_nothing>(what).rule;
    }
    return row;
}

} // namespace

delivery::delivery(bot_id bot, update_id update, disposition what)
    : inbox_(inbox_row_of(bot, update, what)),
      what_(std::move(what)) {}

void delivery::start_with(queue::new_job job, storage::message_row message) {
    job_ = std::move(job);
    message_ = std::move(message);
}

std::vector<storage::write> delivery::stage(
    int number, std::vector<storage::rows> const& returned
) {
    switch (number) {
    case 0:
        is_new_ = false;
        lane_was_gone_ = false;
        made_.reset();
        return {storage::add_update(inbox_)};
    case 1:
        is_new_ = !returned.at(0).empty();
        return is_new_ ? consequences() : std::vector<storage::write>{};
    case 2:
        if (!job_) return {};
        if (returned.at(0).empty()) {
            lane_was_gone_ = true;
            throw lane_is_gone();
        }
        made_ = queue::read_enqueued(returned[0].at(0));
        message_.lane = made_->lane;
        message_.job = made_->id;
        message_.conversation = made_->conversation;
        return {storage::add_message(message_)};
    default:
        return {};
    }
}

bool delivery::changes_lane() const {
    auto const* nothing = std::get_if<to_nothing>(&what_);
    return std::holds_alternative<to_edit>(what_) || (nothing && nothing->moved);
}

std::vector<storage::write> delivery::consequences() const {
    if (job_) return {queue::enqueue(*job_)};
    if (auto* edit = std::get_if<to_edit>(&what_))
        return {
            storage::lock_edited_lane(edit->lane_key),
            storage::edit_message(
                edit->lane_key, inbox_.bot, edit->heard.from.chat, edit->heard.message, edit->text
            )};
    auto* nothing = std::get_if<to_nothing>(&what_);
    if (nothing && nothing->stranger) {
        auto const& who = *nothing->stranger;
        return storage::count_stranger({inbox_.bot, who.user, who.chat, who.name});
    }
    if (nothing && nothing->moved)
        return {storage::migrate_chat(inbox_.bot, nothing->moved->from, nothing->moved->to)};
    return {};
}

std::vector<storage::write> lane_wish::stage(
    int number, std::vector<storage::rows> const& returned
) {
    if (number == 0) return {storage::ensure_lane(bot_, chat_, key_, manner_)};
    lane_ = storage::read_lane(returned.at(0).at(0));
    return {};
}

} // namespace postrider::telegram
