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
    auto const known = co_await storage::find_bot(run.services().reads, name, target_deadline);
    if (!known && retryable(known.error().code))
        throw queue::not_here{"the bot " + name + " could not be looked up"};
    if (!known) co_return known.error();
    if (*known) co_return **known;
    co_return base::error(errc::not_found, "there is no bot " + name);
}

} // namespace

base::awaitable<base::result<address>> target_of(
    node_run const& run, base::json_reader const& from
) {
    address to;
    if (auto const& heard = run.started_by().heard) to = heard->from;
    if (auto name = from["bot"].string_or(""); !name.empty()) {
        auto const bot = co_await find_bot(run, std::move(name));
        if (!bot) co_return bot.error();
        if (*bot != to.bot) to = address{*bot};
    }
    if (from["chat"]) {
        chat_id const chat{from["chat"].int64()};
        if (chat != to.chat) to = address{to.bot, chat};
    }
    if (from["thread"]) to = in_thread(to, thread_id{from["thread"].int64()});
    if (to.is_complete()) co_return to;
    auto const* missing = base::raw(to.bot) == 0 ? "bot" : "chat";
    co_return base::error(
        errc::invalid,
        fmt::format("no message of Telegram started this execution: name the {}", missing)
    );
}

bool is_own_chat(node_run const& run, address const& to) {
    auto const& heard = run.started_by().heard;
    return heard && heard->from == to;
}

history_place place_in_history(node_run& run, address const& to, std::int64_t position) {
    history_place place;
    place.row = run.conversation().row_of({.role = role::assistant}, position, {});
    if (!is_own_chat(run, to)) place.lane_key = own_lane_key(run.services().out.current(to));
    return place;
}

void put_into_history(node_run& run, speech& said, std::int64_t position) {
    auto place = place_in_history(run, said.to, position);
    said.row = std::move(place.row);
    said.lane_key = std::move(place.lane_key);
}

base::awaitable<delivery> say(
    node_run& run, queue::workflow steps, speech said, committing commit
) {
    speaking const by{run.services().out, run.services().random};
    auto delivered = co_await agent::say(steps, by, std::move(said), std::move(commit));
    if (delivered.state != "sent") run.degrade(degradation_of(delivered));
    co_return delivered;
}

} // namespace postrider::agent::flow
