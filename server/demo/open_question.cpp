#include "server/demo/open_question.hpp"

#include "agent/flow/execution_input.hpp"
#include "base/json/json.hpp"
#include "queue/admin/job_views.hpp"
#include "storage/stores/approvals.hpp"
#include "storage/stores/questions.hpp"
#include "storage/transact.hpp"

#include <fmt/format.h>

#include <memory>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

// A chat goes on without it.
constexpr auto question_deadline = 2s;

// What was sent before the turn began to wait; without a text there is none.
open_question sent_question(queue::job_details const& turn, queue::wait_summary const& wait) {
    open_question sent;
    for (auto const& effect : turn.effects) {
        if (!wait.key.starts_with(effect.key + "-") || effect.state != "done") continue;
        base::json_reader const request{effect.request};
        sent.text = request["text"].string_or("");
        sent.message = telegram_message_id{base::json_reader{effect.result}.int64_or(0)};
        if (auto const* buttons = request["buttons"].raw(); buttons && buttons->is_array())
            sent.buttons = buttons->get_array();
        break;
    }
    return sent;
}

std::string approval_of(storage::transaction& tx, std::int64_t job) {
    for (auto const& waiting : storage::list_approvals(tx, {.state = "waiting"}))
        if (base::raw(waiting.job) == job) return waiting.id;
    return {};
}

std::optional<open_question> read_question(
    storage::transaction& tx, job_id job, base::sys_time now
) {
    auto const turn = queue::read_job_details(tx, job);
    if (!turn) return std::nullopt;
    for (auto const& wait : turn->waits) {
        if (wait.type != storage::press_event) continue;
        auto question = sent_question(*turn, wait);
        auto const until = base::from_iso8601(wait.until);
        if (question.text.empty() || !until || *until <= now) continue;
        question.until = *until;
        question.approval = approval_of(tx, turn->job.id);
        return question;
    }
    return std::nullopt;
}

} // namespace

std::string answer_line(open_question const& question) {
    auto const time = base::to_iso8601(question.until).substr(11, 5);
    if (question.approval.empty()) return fmt::format("open until {} UTC: answer here", time);
    return fmt::format(
        "open until {} UTC: answer yes or no, here or by postrider approvals approve {}",
        time,
        question.approval
    );
}

base::awaitable<std::optional<open_question>> newest_open_question(
    storage::database& db, chat_id chat, base::sys_time now
) {
    auto read = [chat, now](storage::transaction& tx) -> std::optional<open_question> {
        queue::job_filter turns;
        turns.states = {queue::job_state::waiting};
        turns.kind = agent::flow::turn_kind;
        turns.lane_text = ":" + base::to_string(chat) + ":";
        auto const newest = queue::matching_jobs(tx, turns, std::nullopt, 1);
        if (newest.empty()) return std::nullopt;
        return read_question(tx, newest.front(), now);
    };
    auto question =
        co_await storage::transact(db, "question.newest", std::move(read), question_deadline);
    if (!question) co_return std::nullopt;
    co_return std::move(*question);
}

} // namespace postrider::server
