#include "agent/failure_notice.hpp"

#include "agent/reply.hpp"
#include "base/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

namespace {

namespace json = boost::json;

// It may be that parts of the answer went out before.
constexpr std::string_view apology =
    "Something went wrong while I worked on this message; my answer is missing or incomplete. Your "
    "message is saved; please ask again.";

// After a day the word would only confuse.
constexpr std::chrono::hours longest{24};

base::result<reply> notice_from(json::value const& input, messenger const& out) {
    base::json_reader const from{input};
    reply notice;
    notice.to = {
        bot_id{from["bot"].int64()},
        chat_id{from["chat"].int64()},
        thread_id{from["thread"].int64()}};
    notice.answers = telegram_message_id{from["message"].int64()};
    if (from.failed()) return from.failure();
    notice.parts = out.split(apology);
    return notice;
}

base::awaitable<queue::outcome> send_notice(queue::workflow& steps, messenger& out) {
    auto const notice = notice_from(steps.job().input, out);
    if (!notice) co_return queue::outcome::failed(notice.error());
    if (!is_planned(steps, *notice)) {
        queue::commit_with intents;
        intents.effects = intents_of(*notice);
        (void)co_await steps.commit(std::move(intents));
    }
    auto const delivered = co_await deliver(steps, out, *notice);
    if (delivered.state != "sent") co_return queue::outcome::failed(delivered.why);
    co_return queue::outcome::completed();
}

} // namespace

std::string lane_of_failures(lane_id failed) {
    return "failures:" + std::to_string(base::raw(failed));
}

std::vector<storage::write> tell_of_failure(
    queue::job const& failed, address to, telegram_message_id answers
) {
    queue::later_job notice;
    notice.lane_key = lane_of_failures(failed.lane);
    notice.while_running = failed.id;
    notice.kind = std::string(failure_notice_kind);
    notice.input = json::object{
        {"bot", base::raw(to.bot)},
        {"chat", base::raw(to.chat)},
        {"thread", base::raw(to.thread)},
        {"message", base::raw(answers)},
        {"failed_job", base::raw(failed.id)}};
    notice.deadline = longest;
    return {storage::ensure_lane({.key = notice.lane_key}), queue::enqueue_later(notice)};
}

queue::job_kind make_failure_notices(messenger& out) {
    return {.name = std::string(failure_notice_kind), .run = [&out](queue::workflow& steps) {
                return send_notice(steps, out);
            }};
}

} // namespace postrider::agent
