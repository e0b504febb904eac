#include "server/api/conversation_turn.hpp"

#include "agent/flow/start/enqueue_execution.hpp"
#include "agent/flow/start/start_once.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/bots/answering_flows.hpp"
#include "storage/query.hpp"

#include <fmt/format.h>

#include <cctype>

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;

constexpr std::size_t longest_text = 32u << 10;
constexpr std::int64_t longest_wait = 60; // seconds
constexpr std::string_view standing_agent = "assistant";

// The reply is what the assistant said last in the turn, or in the one that took its message in.
constexpr storage::statement look_for_reply{"conversation.reply", R"(
select j.finished_at is not null, j.state,
       (select r.content from postrider.message r
        where r.lane_id = j.lane_id and r.job_id = j.job_id and r.role = 'assistant' and r.content <> ''
          and r.conversation_id <> 0
        order by r.position desc limit 1)
from postrider.job j where j.job_id = postrider.answering_job($1)
)"};

bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !std::isxdigit(static_cast<unsigned char>(text[i])))
            return false;
    }
    return true;
}

// A turn, as the conversation's agent is published now. Nothing: no flow answers.
std::optional<flow::execution_start> turn_of(
    conversation_services const& with, storage::api_conversation const& of
) {
    auto const to = server::answering_flows(with.flows).over_chat(of.agent);
    if (!to) return std::nullopt;
    auto const& settings = with.flows.current(to->flow)->opening->settings;
    flow::execution_input input{.flow = to->flow, .version = to->version, .trigger = to->node};
    input.agent = with.agents.contains(of.agent) ? of.agent : std::string(standing_agent);
    input.heard = flow::heard_message{agent::conversation_address(of.id), of.user};
    flow::execution_start start;
    start.lane = {.key = storage::lane_key_of(of.id), .manner = flow::manner_of(settings)};
    start.job.kind = flow::turn_kind;
    start.job.input = flow::to_json(input);
    start.job.deadline = settings.timeout;
    return start;
}

std::optional<net::http_response> reply_in(storage::row const& seen, job_id job) {
    if (!seen.boolean(0)) return std::nullopt;
    if (seen.text(1) != "completed")
        return net::http_response::problem(
            500, "execution_failed", fmt::format("job {}: {}", base::raw(job), seen.text(1))
        );
    auto const said = seen.optional_text(2);
    return json_answer(
        200, {{"job_id", base::raw(job)}, {"reply", said ? json::value(*said) : json::value()}}
    );
}

base::awaitable<net::http_response> await_reply(
    shared_services with, job_id job, std::chrono::seconds patience
) {
    auto const accepted = json_answer(202, {{"job_id", base::raw(job)}});
    if (patience == std::chrono::seconds::zero()) co_return accepted;
    auto read = [job](storage::row const& seen) { return reply_in(seen, job); };
    std::vector<storage::param> which{job};
    auto reply =
        co_await with->waiting.wait(look_for_reply, std::move(which), std::move(read), patience);
    co_return reply ? std::move(*reply) : accepted;
}

} // namespace

std::optional<storage::api_conversation> find_own(
    storage::transaction& tx, net::http_request const& request, caller const& from
) {
    std::string const id(request.param("id"));
    return is_uuid(id) ? storage::find_conversation(tx, id, from.user) : std::nullopt;
}

net::http_response no_conversation() {
    return net::http_response::problem(404, "not_found", "you have no such conversation");
}

base::awaitable<std::variant<storage::api_conversation, net::http_response>> look_up(
    shared_services with, std::string id, user_id user
) {
    if (!is_uuid(id)) co_return no_conversation();
    auto conversation = storage::find_conversation(id, user);
    auto found = co_await storage::query(with->reads, std::move(conversation), work_deadline);
    if (!found) co_return problem_of(found.error());
    if (found->empty()) co_return no_conversation();
    co_return storage::read_conversation(found->front());
}

base::awaitable<net::http_response> post_message(
    shared_services with, net::http_request request, caller from
) {
    if (auto refused = refuse_key(request)) co_return std::move(*refused);
    parameters query(request);
    members body(request);
    auto const seconds = query.integer("wait", 0, longest_wait).value_or(0);
    storage::message_row message;
    message.role = "user";
    message.content = body.required_text("text", longest_text);
    message.id = base::nanoid(with->random);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);

    std::string const id(request.param("id"));
    auto found = co_await look_up(with, id, from.user);
    if (auto* missing = std::get_if<net::http_response>(&found)) co_return std::move(*missing);
    auto start = turn_of(*with, std::get<storage::api_conversation>(found));
    if (!start)
        co_return net::http_response::problem(
            409, "no_flow", "no published flow has a chat trigger"
        );
    auto const text = message.content;
    start->message = std::move(message);
    auto const until = base::system_clock().steady() + work_deadline;
    auto key = key_of(request, "POST " + request.path, text);
    auto started =
        co_await flow::start_once(with->executions, std::move(*start), std::move(key), until);
    if (!started) co_return problem_of(started.error());
    if (started->other_request) co_return key_reused();
    with->bells.ring(id);
    co_return co_await await_reply(with, started->job, std::chrono::seconds{seconds});
}

} // namespace postrider::api
