#include "server/telegram/delivery.hpp"

#include "agent/language/notices.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/speech/failure_notice.hpp"
#include "agent/talk/press.hpp"
#include "storage/stores/chat_events.hpp"
#include "storage/stores/chats.hpp"
#include "storage/stores/group_archive.hpp"
#include "storage/stores/message_reactions.hpp"
#include "storage/stores/strangers.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

constexpr std::string_view messages_per_minute_rule = "messages_per_minute";
constexpr std::string_view repeated_press_rule = "repeated_press";

std::string tell_limit(int most, std::chrono::seconds opens, std::string_view language) {
    using agent::language::counted;
    auto const& words = agent::language::notices_in(language);
    return agent::language::in_words(
        words.too_many_messages,
        counted(most, words.messages, language),
        counted(opens.count(), words.seconds, language)
    );
}

// Said to the owner of a business account, once for each change.
constexpr std::string_view business_is_off =
    "I am not connected with your business account any more: I answer nobody there.";
constexpr std::string_view business_gives_no_right =
    "I may not reply in the chats of your business account. In Telegram, open Settings, Telegram "
    "Business, "
    "Chatbots, and allow it.";

std::vector<storage::write> keep_connection(storage::business_connection const& connection) {
    std::vector<storage::write> rows{storage::keep_business_connection(connection)};
    if (connection.is_enabled && connection.may_reply) return rows;
    agent::address const owner{connection.bot, chat_id{base::raw(connection.account)}, {}};
    auto notice = agent::tell_instead_of_turn(
        "business:" + agent::place_of(owner),
        agent::own_lane_key(owner),
        owner,
        {},
        std::string(connection.is_enabled ? business_gives_no_right : business_is_off)
    );
    std::ranges::move(notice, std::back_inserter(rows));
    return rows;
}

storage::write tell_of(agent::member_change const& change) {
    return storage::tell_chat(change.at.bot, change.at.chat, agent::member_event, to_json(change));
}

} // namespace

storage::inbox_row inbox_row_of(bot_id bot, update_id update, disposition const& decided) {
    storage::inbox_row row;
    row.bot = bot;
    row.update = update;
    if (auto* job = std::get_if<to_job>(&decided)) {
        row.disposition = "job";
        row.heard_from = job->heard.from.chat;
    } else if (auto* press = std::get_if<to_catch_press>(&decided)) {
        row.disposition = "job";
        row.heard_from = press->at.chat;
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
    is_first_ = false;
    album_ = {};
    return storage::add_update(inbox_);
}

std::vector<storage::write> turn_delivery::meter() {
    std::vector<storage::write> rows;
    if (part_) rows.push_back(storage::claim_key(part_->album));
    if (limit_.most != 0) rows.push_back(storage::count_message(limit_.message.user));
    return rows;
}

bool turn_delivery::passes(std::vector<storage::rows> const& counted) {
    is_first_ = part_ && !counted.front().empty();
    if (limit_.most != 0) {
        auto const count = storage::read_message_count(counted.back().at(0));
        if (count.place > limit_.most) beyond_ = count;
    }
    return !beyond_;
}

std::optional<storage::write> turn_delivery::join() {
    if (!part_ || is_first_) return std::nullopt;
    storage::album_message message;
    message.album = part_->album;
    message.lane = lane();
    message.input = input();
    message.words = part_->words;
    message.wordless = image_without_words;
    return storage::join_album(message);
}

bool turn_delivery::joins(storage::rows const& returned) {
    album_ = storage::read_album(returned.at(0));
    return album_.outcome != storage::album_outcome::begins;
}

// What a later part tells of its album stands in a row; the job reads it once all are there.
std::vector<storage::write> turn_delivery::follow(queue::enqueued const& job) {
    if (!part_) return {};
    std::vector<storage::write> rows{storage::answer_key(part_->album, job.id)};
    if (!album_.taken.is_null()) rows.push_back(storage::bring_album_media(job.id, album_.taken));
    return rows;
}

std::vector<storage::write> turn_delivery::decline(std::vector<storage::rows> const& returned) {
    if (!returned.empty()) return {};
    if (has_joined()) return {storage::give_update_to_job(inbox_.bot, inbox_.update)};
    if (!is_ignored()) return {};
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
        tell_limit(limit_.most, beyond_->opens, language())
    );
    std::ranges::move(notice, std::back_inserter(rows));
    return rows;
}

std::vector<storage::write> watched_delivery::meter() {
    if (auto const* edit = std::get_if<to_edit>(&also_))
        return agent::apply_edit(edit->edit, edit->lane_key);
    if (auto const* event = std::get_if<to_member_event>(&also_)) return {tell_of(event->change)};
    return {};
}

std::optional<storage::write> catch_press_delivery::gate() {
    is_repeated_ = false;
    return storage::add_update(inbox_);
}

bool catch_press_delivery::passes(std::vector<storage::rows> const& claimed) {
    is_repeated_ = claimed.front().empty();
    return !is_repeated_;
}

std::vector<storage::write> catch_press_delivery::follow(queue::enqueued const& job) {
    return {storage::answer_key(button_, job.id)};
}

std::vector<storage::write> catch_press_delivery::decline(std::vector<storage::rows> const& returned
) {
    if (!returned.empty() || !is_repeated_) return {};
    return {storage::ignore_update(inbox_.bot, inbox_.update, repeated_press_rule)};
}

std::vector<storage::write> part_delivery::stage(
    int number, std::vector<storage::rows> const& returned
) {
    switch (number) {
    case 0:
        is_new_ = has_joined_ = false;
        return {storage::add_update(inbox_)};
    case 1:
        is_new_ = !returned.at(0).empty();
        if (!is_new_) return {};
        return {storage::join_album(message_)};
    case 2:
        if (!is_new_) return {};
        has_joined_ =
            storage::read_album(returned.at(0).at(0)).outcome == storage::album_outcome::joined;
        if (has_joined_) return {};
        return {storage::ignore_update(inbox_.bot, inbox_.update, rule_)};
    default:
        return {};
    }
}

// What was said before is not looked up for somebody who says too much.
std::string_view turn_delivery::language() const {
    auto const said =
        message() ? agent::language::language_of(message()->content) : std::string_view{};
    return said.empty() ? std::string_view(limit_.message.usual_language) : said;
}

std::vector<storage::write> unanswered_delivery::stage(
    int number, std::vector<storage::rows> const& returned
) {
    if (number == 0) {
        is_new_ = is_kept_ = has_joined_ = false;
        return {storage::add_update(inbox_), storage::find_or_add_lane(lane_)};
    }
    if (number == 1) {
        is_new_ = !returned.at(0).empty();
        if (!is_new_) return {};
        message_.lane = storage::read_lane(returned.at(1).at(0));
        if (!part_) return keep();
        part_->lane = message_.lane;
        return {storage::join_album(*part_)};
    }
    if (!is_new_ || has_joined_) return {};
    if (is_kept_) {
        if (returned.at(0).empty()) throw agent::flow::lane_is_gone();
        return {};
    }
    has_joined_ =
        storage::read_album(returned.at(0).at(0)).outcome == storage::album_outcome::joined;
    return has_joined_ ? std::vector<storage::write>() : keep();
}

std::vector<storage::write> unanswered_delivery::keep() {
    is_kept_ = true;
    return {storage::add_unanswered_message(message_)};
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
           std::holds_alternative<to_member_event>(decided_) ||
           std::holds_alternative<to_removal>(decided_) ||
           std::holds_alternative<to_connection>(decided_) ||
           std::holds_alternative<to_reaction>(decided_) || (nothing && nothing->moved);
}

std::vector<storage::write> delivery::consequences() const {
    if (auto* edit = std::get_if<to_edit>(&decided_))
        return agent::apply_edit(edit->edit, edit->lane_key);
    if (auto* event = std::get_if<to_member_event>(&decided_)) return {tell_of(event->change)};
    if (auto* connected = std::get_if<to_connection>(&decided_))
        return keep_connection(connected->connection);
    if (auto* removal = std::get_if<to_removal>(&decided_))
        return {storage::mark_removed(removal->at.bot, removal->at.chat, removal->messages)};
    if (auto* reaction = std::get_if<to_reaction>(&decided_))
        return {storage::keep_reactions(
            reaction->at.bot,
            reaction->at.chat,
            reaction->message,
            reaction->user,
            reaction->reactions
        )};
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
