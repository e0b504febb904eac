#include "server/api/conversation_turn.hpp"

#include "agent/flow/enqueue_execution.hpp"
#include "server/answering_flows.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

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

struct posting {
    net::http_response answer; // as long as there is no reply
    job_id job{};
};

// A turn, as the conversation's agent is published now. The library is read before, on its thread.
struct turn_wish {
    std::optional<flow::start> to;
    flow::settings how;
    std::string agent;
};

turn_wish wish_for(conversation_services const& with, std::string const& agent) {
    turn_wish made;
    made.to = server::answering_flows(with.flows).over_chat(agent);
    if (made.to) made.how = with.flows.current(made.to->flow)->flow->settings;
    made.agent = with.agents.contains(agent) ? agent : std::string(standing_agent);
    return made;
}

posting post(
    storage::transaction& tx,
    storage::api_conversation const& to,
    turn_wish const& wish,
    storage::message_row message
) {
    if (!wish.to)
        return {
            net::http_response::problem(409, "no_flow", "no published flow has a chat trigger"),
            {}};
    flow::execution_input input{
        .flow = wish.to->flow, .version = wish.to->version, .trigger = wish.to->node};
    input.agent = wish.agent;
    input.posted = flow::posted_message{to.id, to.user};
    auto const made =
        flow::enqueue_execution(tx, flow::turn_kind, input, wish.how, storage::lane_key_of(to.id));
    message.lane = made.lane;
    message.job = made.id;
    message.conversation = made.conversation;
    storage::add_message(tx, message);
    return {json_answer(202, {{"job_id", base::raw(made.id)}}), made.id};
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

} // namespace

std::optional<storage::api_conversation> find_own(
    storage::transaction& tx, net::http_request const& request, caller const& who
) {
    std::string const id(request.param("id"));
    return is_uuid(id) ? storage::find_conversation(tx, id, who.user) : std::nullopt;
}

net::http_response no_conversation() {
    return net::http_response::problem(404, "not_found", "you have no such conversation");
}

base::awaitable<net::http_response> post_message(
    shared_services with, net::http_request request, caller who, storage::database& db
) {
    parameters query(request);
    members body(request);
    auto const seconds = query.integer("wait", 0, longest_wait).value_or(0);
    storage::message_row message;
    message.role = "user";
    message.content = body.required_text("text", longest_text);
    message.id = base::nanoid(with->random);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);

    auto to = std::make_shared<storage::api_conversation>();
    auto look = [to, request, who](storage::transaction& tx) {
        auto found = find_own(tx, request, who);
        if (!found) return no_conversation();
        *to = std::move(*found);
        return net::http_response::empty(200);
    };
    auto found = co_await perform(db, "conversation.find", std::move(look));
    if (found.status != 200) co_return found;

    auto made = std::make_shared<posting>();
    auto commit = [made, to, message, wish = wish_for(*with, to->agent)](storage::transaction& tx) {
        *made = post(tx, *to, wish, message);
        return made->answer;
    };
    auto answer = co_await perform(db, "conversation.post", std::move(commit));
    if (answer.status != 202) co_return answer;
    with->job_waits();
    if (seconds == 0) co_return answer;
    auto read = [job = made->job](storage::row const& seen) { return reply_in(seen, job); };
    std::vector<storage::param> which{made->job};
    auto reply = co_await with->waiting.wait(
        look_for_reply, std::move(which), std::move(read), std::chrono::seconds{seconds}
    );
    if (!reply) co_return answer;
    co_return std::move(*reply);
}

} // namespace postrider::api
