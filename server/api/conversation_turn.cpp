#include "server/api/conversation_turn.hpp"

#include "agent/flow/lane_manner.hpp"
#include "agent/flow/start/command_start.hpp"
#include "agent/flow/start/start_once.hpp"
#include "agent/language/command.hpp"
#include "server/api/conversation_stream.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/telemetry/trace_context.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;

constexpr std::size_t longest_text = 256u << 10;
constexpr std::int64_t longest_wait = 60; // seconds
constexpr std::string_view standing_agent = "assistant";

// Just before a message was said that came with a key: its row was written by the same transaction.
constexpr storage::statement moment_before{"conversation.moment_before", R"(
select k.xid || ':' || k.xid || ':'
from (select postrider.full_xid(k.xmin, pg_current_snapshot()) as xid from postrider.request_key k
      where k.scope = $1 and k.key = $2) k
)"};

// Of the turn, or of the one that took its message in. A question is an answer, too.
constexpr storage::statement look_for_reply{"conversation.reply", R"(
select t.i, j.*
from json_to_recordset($1::json) as t(i int, job_id bigint)
cross join lateral (
    select j.finished_at is not null, j.state, postrider.reply_of(postrider.history_lane(j), j.job_id), j.job_id, j.error_class,
           case when j.finished_at is null then postrider.question_of(j.lane_id, j.job_id, t.job_id) end
    from postrider.job j where j.job_id = postrider.answering_job(t.job_id) offset 0) j
)"};

// A turn that answers the text, as the conversation's agent is published now. Nothing: no flow
// answers.
std::optional<flow::execution_start> turn_of(
    conversation_services const& services,
    storage::api_conversation const& conversation,
    std::string_view text
) {
    auto const to = services.flows.starts().conversation(conversation.agent);
    if (!to) return std::nullopt;
    auto const& settings = services.flows.current(to->flow)->opening->settings;
    flow::execution_input input{.flow = to->flow, .version = to->version, .trigger = to->node};
    input.agent = services.agents.contains(conversation.agent) ? conversation.agent
                                                               : std::string(standing_agent);
    input.heard =
        flow::heard_message{agent::conversation_address(conversation.id), conversation.user};
    flow::execution_start start;
    start.command = flow::command_in(text, agent::command_of(text), input, false);
    start.lane = {
        .key = storage::lane_key_of(conversation.id),
        .manner = flow::manner_of(settings),
        .exists = true};
    start.job.kind = flow::turn_kind;
    start.job.input = flow::to_json(input);
    start.job.deadline = settings.timeout;
    return start;
}

net::http_response cancellation_of(storage::row const& row) {
    return net::http_response::problem(
        409, "cancelled", fmt::format("job {} was cancelled", row.int64(4))
    );
}

// The failure's class and where to read the rest: its own words may be a provider's or a flow's.
net::http_response failure_in(storage::row const& row) {
    auto const error_class = row.optional_text(5);
    return net::http_response::problem(
        500,
        "execution_failed",
        fmt::format(
            "job {0}: {1}{2}; `postrider jobs show {0}` and GET /jobs/{0} tell why",
            row.int64(4),
            row.text(2),
            error_class ? " (" + *error_class + ")" : ""
        )
    );
}

std::optional<net::http_response> reply_in(storage::row const& row, job_id job) {
    if (!row.boolean(1) && row.null(6)) return std::nullopt;
    if (!row.boolean(1))
        return json_answer(
            200, {{"job_id", base::raw(job)}, {"state", "waiting"}, {"question", row.json(6)}}
        );
    if (row.text(2) == "cancelled") return cancellation_of(row);
    if (row.text(2) != "completed") return failure_in(row);
    auto const said = row.optional_text(3);
    return json_answer(
        200, {{"job_id", base::raw(job)}, {"reply", said ? json::value(*said) : json::value()}}
    );
}

base::awaitable<net::http_response> await_reply(
    shared_services services, job_id job, std::chrono::seconds patience
) {
    auto accepted = json_answer(202, {{"job_id", base::raw(job)}});
    if (patience == std::chrono::seconds::zero()) co_return accepted;
    auto const read = [job](storage::row const& row) { return reply_in(row, job); };
    auto reply = co_await services->waiting.wait(look_for_reply, job, read, patience);
    if (reply) co_return std::move(*reply);
    co_return accepted;
}

// Of a message that was said before, all that has come since is told. Where a look fails the stream
// soon ends, and the client comes again.
base::awaitable<net::http_response> stream_turn(
    watch_stream line,
    flow::started_execution started,
    std::optional<storage::request_key> key,
    storage::database& db
) {
    std::optional<conversation_position> from;
    if (!started.is_new) {
        std::vector<storage::param> arguments{key->scope, key->key};
        auto const moment =
            co_await db.query(moment_before, std::move(arguments), database_waits.read);
        if (!moment) co_return problem_of(moment.error(), database_use::read);
        if (!moment->empty()) from = conversation_position{moment->front().text(0)};
    }
    line.watch->follow(started.job, std::move(from));
    (void)co_await line.watch->look();
    co_return stream_of(std::move(line));
}

net::http_response too_many_messages(int most, storage::message_count const& beyond) {
    auto refusal = net::http_response::problem(
        429, "too_many_messages", fmt::format("the limit is {} messages a minute", most)
    );
    refusal.headers.add("Retry-After", std::to_string(beyond.opens.count()));
    return refusal;
}

} // namespace

base::awaitable<net::http_response> post_message(
    shared_services services, net::http_request request, caller caller, storage::database& db
) {
    if (auto refused = refuse_key(request)) co_return std::move(*refused);
    parameters query(request);
    members body(request);
    auto const seconds = query.integer("wait", 0, longest_wait);
    bool const streams = read_flag(query, "stream");
    if (seconds && streams) query.mistake("wait and stream are not for the same request");
    storage::message_row message;
    message.role = "user";
    message.origin = storage::message_origin::person;
    message.sender = caller.user;
    message.content = body.required_text("text", longest_text);
    message.id = base::nanoid(services->random);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);

    std::string const id(request.param("id"));
    auto conversation = co_await look_up(services, id, caller.user);
    if (auto* missing = std::get_if<net::http_response>(&conversation))
        co_return std::move(*missing);
    auto const& of = std::get<storage::api_conversation>(conversation);
    auto const key = key_of(request, "POST " + request.path, message.content);
    auto start = turn_of(*services, of, message.content);
    if (!start)
        co_return net::http_response::problem(
            409, "no_flow", "no published flow has a chat trigger"
        );
    telemetry::continue_trace(start->job.input, request);
    start->message = std::move(message);
    std::optional<watch_stream> line;
    if (streams) {
        std::optional<conversation_position> const now;
        auto stream = co_await begin_watch(services, of, now, db);
        if (auto* refused = std::get_if<net::http_response>(&stream)) co_return std::move(*refused);
        line = std::get<watch_stream>(std::move(stream));
    }
    auto const until = base::system_clock().steady() + database_waits.change;
    flow::start_conditions conditions{.key = key};
    auto const most = services->nodes.messages_per_minute;
    if (most != 0) conditions.quota = flow::message_quota{caller.user, most};
    auto started = co_await flow::start_once(
        services->executions, std::move(*start), std::move(conditions), until
    );
    if (!started && started.error() == base::errc::not_found) co_return no_conversation();
    if (!started) co_return problem_of(started.error(), database_use::change);
    if (started->beyond) co_return too_many_messages(most, *started->beyond);
    if (started->other_request) co_return key_reused();
    services->listeners.notify(of.id, started->job, services->live);
    if (line) co_return co_await stream_turn(std::move(*line), *started, key, db);
    std::chrono::seconds const patience{seconds.value_or(0)};
    co_return co_await await_reply(services, started->job, patience);
}

} // namespace postrider::api
