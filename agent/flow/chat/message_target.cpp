#include "agent/flow/chat/message_target.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/talk/messenger.hpp"
#include "storage/stores/bots.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

using base::errc;

constexpr base::duration target_deadline = std::chrono::seconds{5};

// The bot of that name, also when only other nodes have it: it is missed where something is still to
// be done by it. What this node cannot find out just now is left to another one, too.
base::awaitable<base::result<bot_id>> find_bot(node_run const& run, std::string name) {
    if (auto const bot = run.services().out.find_bot(name)) co_return *bot;
    auto const stored_bot = co_await storage::find_bot(run.services().reads, name, target_deadline);
    if (!stored_bot && retryable(stored_bot.error().code))
        throw queue::not_here{"the bot " + name + " could not be looked up"};
    if (!stored_bot) co_return stored_bot.error();
    if (*stored_bot) co_return **stored_bot;
    co_return base::error(errc::not_found, "there is no bot " + name);
}

} // namespace

base::awaitable<base::result<address>> target_of(
    node_run const& run, base::json_reader const& fields
) {
    address target;
    if (auto const& heard = run.started_by().heard) target = heard->from;
    if (auto name = fields["bot"].string_or(""); !name.empty()) {
        auto const bot = co_await find_bot(run, std::move(name));
        if (!bot) co_return bot.error();
        if (*bot != target.bot) target = address{*bot};
    }
    if (fields["chat"]) {
        chat_id const chat{fields["chat"].int64()};
        if (chat != target.chat) target = address{target.bot, chat};
    }
    if (fields["thread"]) target = in_thread(target, thread_id{fields["thread"].int64()});
    if (target.is_complete()) co_return target;
    auto const* missing = base::raw(target.bot) == 0 ? "bot" : "chat";
    co_return base::error(
        errc::invalid,
        fmt::format("no message of Telegram started this execution: name the {}", missing)
    );
}

bool is_own_chat(node_run const& run, address const& target) {
    auto const& heard = run.started_by().heard;
    return heard && heard->from == target;
}

history_place place_in_history(node_run& run, address const& target, std::int64_t position) {
    history_place place;
    place.row = run.conversation().row_of({.role = role::assistant}, position, {});
    if (!is_own_chat(run, target))
        place.lane_key = own_lane_key(run.services().out.current(target));
    return place;
}

void put_into_history(node_run& run, speech& draft, std::int64_t position) {
    auto place = place_in_history(run, draft.to, position);
    draft.row = std::move(place.row);
    draft.lane_key = std::move(place.lane_key);
}

base::awaitable<delivery> say(
    node_run& run, queue::workflow steps, speech draft, committing commit
) {
    speaking const channel{run.services().out, run.services().random};
    auto delivered = co_await agent::say(steps, channel, std::move(draft), std::move(commit));
    if (delivered.state != "sent") run.degrade(degradation_of(delivered));
    co_return delivered;
}

} // namespace postrider::agent::flow
