#include "agent/moderation/by_hand.hpp"

#include "agent/moderation/deed.hpp"
#include "agent/moderation/offence.hpp"
#include "agent/moderation/press_job.hpp"
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/rows.hpp"
#include "agent/spam/store/undo.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"
#include "queue/store/enqueue.hpp"
#include "storage/stores/audit.hpp"
#include "storage/stores/lanes.hpp"

namespace postrider::agent {

namespace {

constexpr storage::statement wake_for_acts{
    "moderation.wake", "select pg_notify('postrider', 'wake')"};

// An act that fails for so long is not wanted any more.
constexpr std::chrono::hours longest_act{24};

enum class hand_act { ban, unban, release };
constexpr base::names<hand_act, 3> hand_acts{
    {{hand_act::ban, "ban"}, {hand_act::unban, "unban"}, {hand_act::release, "release"}}};

spam::caught_message member_of(address const& group, user_id author) {
    spam::caught_message member;
    member.key = {group.chat, {}, author};
    member.bot = group.bot;
    if (base::raw(author) < 0) member.sender_chat = chat_id{base::raw(author)};
    return member;
}

deed deed_of(hand_act act, spam::caught_message member, std::string const& whose) {
    deed work{.name = "by_hand"};
    if (act == hand_act::ban) {
        work.acts.push_back({"ban", ban_of(member)});
        work.rows_when_done = {
            spam::ban_row({member.key.chat, member.key.author, whose}),
            spam::settled_refusals_row(member.key.chat, member.key.author)};
        return work;
    }
    bool const was_restricted = act == hand_act::release;
    member.action = was_restricted ? spam::catch_action::restrict : spam::catch_action::ban;
    work.acts = pardon(member, whose).acts; // its rows are committed already
    return work;
}

// The lane is locked before rows of the filter are, as in a worker's commit.
job_id order_act(storage::transaction& tx, address const& group, user_id author, hand_act act) {
    auto input = to_json(group);
    input["author"] = base::raw(author);
    input["act"] = base::name_of(hand_acts, act);
    input["whose"] = storage::actor_in(tx);
    auto const lane =
        storage::find_or_add_lane(tx, lane_of_moderation(group), storage::lane_manner{});
    queue::new_job job{lane, std::string(act_by_hand_kind), std::move(input), {}};
    job.deadline = longest_act;
    auto const enqueued = queue::enqueue(tx, job);
    tx.query(wake_for_acts);
    return enqueued.id;
}

base::awaitable<queue::outcome> act_by_hand(
    queue::workflow& steps, messenger& out, storage::batcher& reads
) {
    base::json_reader const input{steps.job().input};
    auto const group = address_from(input);
    user_id const author{input["author"].int64()};
    auto const whose = input["whose"].string();
    auto const act = base::named(hand_acts, std::string_view(input["act"].string_or("")));
    if (input.failed()) co_return queue::outcome::failed(input.failure());
    if (!act)
        co_return queue::outcome::failed(base::error(base::errc::invalid, "there is no such act"));
    auto work = deed_of(*act, member_of(group, author), whose);
    committing const by_itself;
    auto const results =
        co_await carry_out(steps, out, reads, group, std::move(work), by_itself, moderation_tries);
    if (auto const failure = failure_of(results)) co_return queue::outcome::failed(*failure);
    co_return queue::outcome::completed();
}

} // namespace

job_id ban_by_hand(storage::transaction& tx, address const& group, user_id author) {
    return order_act(tx, group, author, hand_act::ban);
}

job_id unban_by_hand(storage::transaction& tx, address const& group, user_id author) {
    auto const job = order_act(tx, group, author, hand_act::unban);
    auto const bans = spam::find_bans(tx, group.chat, author);
    spam::apply(tx, spam::unban_rows({group.chat, author, storage::actor_in(tx)}, bans));
    return job;
}

base::result<undone_catch> undo_by_hand(
    storage::transaction& tx, chat_id chat, telegram_message_id message
) {
    auto const stored = spam::find_undoable(tx, chat, message);
    if (!stored) return base::error(base::errc::not_found, "this message was never taken for spam");
    auto const& caught = stored->caught;
    if (stored->undone_by)
        return base::error(base::errc::conflict, "it was undone before, by " + *stored->undone_by);
    undone_catch undone{caught.key.author};
    bool const is_done = caught.action != spam::catch_action::dry_run;
    auto const act =
        caught.action == spam::catch_action::restrict ? hand_act::release : hand_act::unban;
    if (is_done && base::raw(caught.bot) != 0)
        undone.job = order_act(tx, {caught.bot, chat}, undone.author, act);
    spam::apply(tx, spam::undo_rows(caught, storage::actor_in(tx)));
    return undone;
}

queue::job_kind make_acts_by_hand(messenger& out, storage::batcher& reads) {
    auto run = [&out, &reads](queue::workflow& steps) { return act_by_hand(steps, out, reads); };
    return {.name = std::string(act_by_hand_kind), .run = run};
}

} // namespace postrider::agent
