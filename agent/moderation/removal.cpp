#include "agent/moderation/removal.hpp"

#include "agent/speech/speech.hpp"
#include "agent/talk/press.hpp"
#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/group_archive.hpp"
#include "storage/stores/lanes.hpp"

namespace postrider::agent {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

// Telegram lets a bot delete for two days.
constexpr std::chrono::hours longest_removal{48};

base::awaitable<queue::step_value> take_away(
    messenger& out, address place, telegram_message_id message
) {
    auto const done = co_await out.remove(place, message);
    if (!done) co_return done.error();
    co_return json::value(nullptr);
}

base::awaitable<queue::outcome> remove_message(queue::workflow& steps, messenger& out) {
    base::json_reader const input{steps.job().input};
    auto const place = address_from(input);
    telegram_message_id const message{input["message"].int64()};
    if (input.failed()) co_return queue::outcome::failed(input.failure());
    leave_to_a_node_serving(out, place);
    base::retry_policy const tries{.limit = 6, .delay = 1s, .timeout = acting_timeout, .total = 1h};
    auto const taken =
        co_await steps.try_step("remove", tries, [&] { return take_away(out, place, message); });
    if (!taken) co_return queue::outcome::failed(taken.error());
    auto outcome = queue::outcome::completed();
    outcome.writes.push_back(storage::mark_removed(place.bot, place.chat, {message}));
    co_return outcome;
}

} // namespace

std::vector<storage::write> remove_later(
    address const& place, telegram_message_id message, std::chrono::milliseconds delay
) {
    queue::later_job removal;
    removal.lane_key = "removals:" + place_of(place);
    removal.kind = std::string(removal_kind);
    auto input = to_json(place);
    input["message"] = base::raw(message);
    removal.input = std::move(input);
    removal.due = delay;
    removal.deadline = longest_removal;
    return {storage::ensure_lane({.key = removal.lane_key}), queue::enqueue_later(removal)};
}

queue::job_kind make_removals(messenger& out) {
    auto run = [&out](queue::workflow& steps) { return remove_message(steps, out); };
    return {.name = std::string(removal_kind), .run = run};
}

} // namespace postrider::agent
