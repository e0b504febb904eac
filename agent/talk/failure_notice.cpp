#include "agent/talk/failure_notice.hpp"

#include "agent/talk/reply.hpp"
#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/answers.hpp"
#include "storage/stores/lanes.hpp"
#include "storage/stores/messages.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

namespace {

namespace json = boost::json;

// It may be that parts of the answer went out before.
constexpr std::string_view apology =
    "Something went wrong while I worked on this message; my answer is missing or incomplete. Your "
    "message is saved; please ask again.";

// Even, as of all that models read (flow/run/message_place.hpp).
constexpr std::int64_t notice_position = 2;

// After a day the word would only confuse.
constexpr std::chrono::hours longest{24};

base::result<reply> notice_from(json::value const& input, messenger const& out) {
    base::json_reader const from{input};
    reply notice;
    notice.to = address_from(from);
    notice.answers = telegram_message_id{from["message"].int64()};
    if (from.failed()) return from.failure();
    notice.position = notice_position;
    notice.parts = out.split(notice.to, {.text = from["text"].string_or(apology)});
    return notice;
}

// Where the person's message stands, or would stand: what is said to a chat is in its history.
struct notice_history {
    lane_id lane{};
    std::string key; // in place of the lane
};

notice_history history_of(json::value const& input, address const& to) {
    base::json_reader const from{input};
    if (from["failed_lane"]) return {lane_id{from["failed_lane"].int64()}, {}};
    return {{}, from["said_in"].string_or(own_lane_key(to))};
}

storage::message_row notice_row(queue::job const& job, reply const& notice, lane_id lane) {
    storage::message_row row;
    row.lane = lane;
    row.job = job.id;
    row.position = notice_position;
    row.role = "assistant";
    row.origin = storage::message_origin::engine;
    row.content = base::json_reader{job.input}["text"].string_or(apology);
    row.delivery = "pending";
    if (!notice.to.is_conversation()) row.chat = notice.to.chat;
    row.thread = notice.to.thread;
    return row;
}

constexpr std::chrono::seconds look_deadline{5};

base::awaitable<queue::step_value> look_for_answer(
    storage::batcher& reads, lane_id lane, job_id failed
) {
    // The rules' steps, too: they answer where no model does.
    auto const answered =
        co_await storage::was_answered(reads, lane, failed, "model|rules", look_deadline);
    if (!answered) co_return answered.error();
    co_return json::value(*answered);
}

// Looked up here and not where the turn fails: the commit of its failure may be the one that tells
// that its last message went out.
base::awaitable<queue::step_value> find_answer(queue::workflow& steps, storage::batcher& reads) {
    base::json_reader const from{steps.job().input};
    if (!from["failed_job"]) co_return json::value(false);
    lane_id const lane{from["failed_lane"].int64()};
    job_id const failed{from["failed_job"].int64()};
    if (from.failed()) co_return from.failure();
    auto look = [&reads, lane, failed] { return look_for_answer(reads, lane, failed); };
    base::retry_policy const policy;
    co_return co_await steps.run("find-answer", policy, look);
}

base::awaitable<queue::outcome> send_notice(
    queue::workflow& steps, messenger& out, storage::batcher& reads, base::random_source& random
) {
    auto const notice = notice_from(steps.job().input, out);
    if (!notice) co_return queue::outcome::failed(notice.error());
    // Where that cannot be found out, it is told rather twice than never.
    auto const answered = co_await find_answer(steps, reads);
    if (answered && *answered == json::value(true))
        co_return queue::outcome::completed({{"answered", true}});
    auto const history = history_of(steps.job().input, notice->to);
    if (!is_planned(steps, *notice)) {
        queue::commit_with intents;
        intents.effects = intents_of(*notice);
        auto row = notice_row(steps.job(), *notice, history.lane);
        row.id = base::nanoid(random);
        intents.writes.push_back(storage::add_message_from_beside(row, history.key));
        (void)co_await steps.commit(std::move(intents));
    }
    auto const delivered = co_await deliver(steps, out, *notice);
    auto outcome = delivered.state == "sent" ? queue::outcome::completed()
                                             : queue::outcome::failed(delivered.error);
    outcome.writes.push_back(storage::set_delivery(
        history.lane, steps.job().id, notice_position, delivered.state, delivered.first, history.key
    ));
    co_return outcome;
}

} // namespace

std::string lane_of_failures(lane_id failed) {
    return "failures:" + std::to_string(base::raw(failed));
}

std::vector<storage::write> tell_of_failure(
    queue::job const& failed, address to, telegram_message_id answers, std::string const& text
) {
    queue::later_job notice;
    notice.lane_key = lane_of_failures(failed.lane);
    notice.while_running = failed.id;
    notice.kind = std::string(failure_notice_kind);
    auto input = to_json(to);
    input["message"] = base::raw(answers);
    input["failed_lane"] = base::raw(failed.lane);
    input["failed_job"] = base::raw(failed.id);
    if (!text.empty()) input["text"] = text;
    notice.input = std::move(input);
    notice.deadline = longest;
    return {storage::ensure_lane({.key = notice.lane_key}), queue::enqueue_later(notice)};
}

std::vector<storage::write> tell_instead_of_turn(
    std::string lane_key,
    std::string_view said_in,
    address to,
    telegram_message_id answers,
    std::string const& text
) {
    queue::later_job notice;
    notice.lane_key = std::move(lane_key);
    notice.kind = std::string(failure_notice_kind);
    auto input = to_json(to);
    input["message"] = base::raw(answers);
    input["said_in"] = said_in;
    input["text"] = text;
    notice.input = std::move(input);
    notice.deadline = longest;
    return {storage::ensure_lane({.key = notice.lane_key}), queue::enqueue_later(notice)};
}

queue::job_kind make_failure_notices(
    messenger& out, storage::batcher& reads, base::random_source& random
) {
    auto run = [&out, &reads, &random](queue::workflow& steps) {
        return send_notice(steps, out, reads, random);
    };
    return {.name = std::string(failure_notice_kind), .run = run};
}

} // namespace postrider::agent
