#include "agent/speech/failure_notice.hpp"

#include "agent/language/notices.hpp"
#include "agent/speech/speech.hpp"
#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/answers.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

namespace {

namespace json = boost::json;

// Even, as of all that models read (flow/run/message_place.hpp).
constexpr std::int64_t notice_position = 2;

// After a day the word would only confuse.
constexpr std::chrono::hours longest{24};

// Where the person's message stands, or would stand: what is said to a chat is in its history.
base::result<speech> notice_from(json::value const& input) {
    base::json_reader const from{input};
    speech notice;
    notice.to = address_from(from);
    telegram_message_id const failed{from["message"].int64()};
    // Groups are told what is meant; in a private chat it is plain.
    if (base::raw(notice.to.chat) < 0 && failed != telegram_message_id{}) notice.answers = failed;
    // None: of a job that an earlier release made.
    notice.content.text = from["text"].string_or(language::notices_in("en").went_wrong);
    notice.row = row_at(notice_position);
    if (from["failed_lane"])
        notice.row->lane = lane_id{from["failed_lane"].int64()};
    else if (from["lane"])
        notice.row->lane = lane_id{from["lane"].int64()};
    else
        notice.lane_key = from["said_in"].string_or(own_lane_key(notice.to));
    if (from.failed()) return from.failure();
    return notice;
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
    auto notice = notice_from(steps.job().input);
    if (!notice) co_return queue::outcome::failed(notice.error());
    // Where that cannot be found out, it is told rather twice than never.
    auto const answered = co_await find_answer(steps, reads);
    if (answered && *answered == json::value(true))
        co_return queue::outcome::completed({{"answered", true}});
    auto const delivered = co_await say(steps, {out, random}, std::move(*notice));
    if (delivered.state != "sent") co_return queue::outcome::failed(delivered.error);
    co_return queue::outcome::completed();
}

} // namespace

std::string lane_of_failures(lane_id failed) {
    return "failures:" + std::to_string(base::raw(failed));
}

std::vector<storage::write> tell_of_failure(
    queue::job const& failed, address chat, telegram_message_id answers, std::string const& text
) {
    queue::later_job notice;
    notice.lane_key = lane_of_failures(failed.lane);
    notice.while_running = failed.id;
    notice.kind = std::string(failure_notice_kind);
    auto input = to_json(chat);
    input["message"] = base::raw(answers);
    input["failed_lane"] = base::raw(failed.lane);
    input["failed_job"] = base::raw(failed.id);
    input["text"] = text;
    notice.input = std::move(input);
    notice.deadline = longest;
    return {storage::ensure_lane({.key = notice.lane_key}), queue::enqueue_later(notice)};
}

std::vector<storage::write> tell_instead_of_turn(
    std::string lane_key,
    std::string_view said_in,
    address chat,
    telegram_message_id answers,
    std::string const& text
) {
    queue::later_job notice;
    notice.lane_key = std::move(lane_key);
    notice.kind = std::string(failure_notice_kind);
    auto input = to_json(chat);
    input["message"] = base::raw(answers);
    input["said_in"] = said_in;
    input["text"] = text;
    notice.input = std::move(input);
    notice.deadline = longest;
    return {storage::ensure_lane({.key = notice.lane_key}), queue::enqueue_later(notice)};
}

std::vector<storage::write> tell_of_end(
    queue::job const& ended, lane_id said_in, address chat, user_id user, std::string const& text
) {
    queue::later_job notice;
    notice.lane_key = lane_of_failures(ended.lane);
    notice.while_running = ended.id;
    notice.kind = std::string(failure_notice_kind);
    auto input = to_json(chat);
    input["message"] = 0; // it answers none
    // `user`, `chat` and `lane` are names that postrider erase looks for.
    input["user"] = base::raw(user);
    input["lane"] = base::raw(said_in);
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
