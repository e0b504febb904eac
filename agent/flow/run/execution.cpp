#include "agent/flow/run/execution.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/redis_memory.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"
#include "agent/flow/run/command_answer.hpp"
#include "agent/flow/run/failure.hpp"
#include "agent/flow/run/group_compactor.hpp"
#include "agent/flow/run/heard_recording.hpp"
#include "agent/flow/run/knowledge_ingester.hpp"
#include "agent/flow/run/memory_embedder.hpp"
#include "agent/flow/run/memory_extractor.hpp"
#include "agent/flow/run/observer_pair.hpp"
#include "agent/flow/run/part_embedder.hpp"
#include "agent/flow/run/session_summariser.hpp"
#include "agent/flow/run/walk.hpp"
#include "agent/moderation/by_hand.hpp"
#include "agent/moderation/press_job.hpp"
#include "agent/moderation/removal.hpp"
#include "agent/recall/memory_owner.hpp"
#include "agent/reminders/reminder.hpp"
#include "agent/speech/failure_notice.hpp"
#include "agent/speech/owner_notice.hpp"
#include "agent/speech/question_end.hpp"
#include "agent/speech/speech.hpp"
#include "base/fault.hpp"
#include "base/json/error_data.hpp"
#include "base/json/json.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// So long the parts of an album may come apart. The job is parked, and reads its input again.
constexpr std::chrono::seconds album_pause{2};
constexpr std::string_view album_step = "album"; // sql/functions/albums.sql looks for both
// The messenger brings what it could not deliver while no process ran.
constexpr std::chrono::seconds redelivery_pause{5};
constexpr std::string_view redelivery_step = "album_again";

base::awaitable<void> gather_album(queue::workflow steps, node_services const& services) {
    co_await steps.sleep(album_step, album_pause);
    bool const is_older = services.began && steps.job().enqueued < *services.began;
    if (steps.recorded(redelivery_step) || (is_older && !steps.is_read_only()))
        co_await steps.sleep(redelivery_step, redelivery_pause);
}

// $now is recorded, so that every run takes the same way; only where an expression asks for it.
base::awaitable<std::string> time_of(
    graph const& flow, queue::workflow steps, node_services const& services
) {
    if (!flow.asks_for_the_time()) co_return std::string{};
    json::value const now(base::to_iso8601(services.clock.now()));
    auto recorded = co_await steps.record_value("now", now);
    co_return std::string(recorded->as_string());
}

// So many earlier messages the first read brings; a memory that wants more reads again.
int messages_to_read(node_services const& services, execution_input const& input) {
    auto const agent = services.agents.find(input.agent);
    auto const number = [&](std::string_view key, int usual) {
        auto const* setting =
            agent == services.agents.end() ? nullptr : agent->second.if_contains(key);
        return setting && setting->is_int64() ? static_cast<int>(setting->get_int64()) : usual;
    };
    return number("history", bounds::history.usual) +
           number("history_slack", bounds::history_slack.usual);
}

// Whose memories a node of the flow may recall.
std::optional<storage::memory_look> look_of(graph const& flow, execution_input const& input) {
    bool const looks = std::ranges::any_of(flow.nodes(), [](compiled_node const& node) {
        auto const* behaviour = std::get_if<part>(&node.type->behaviour);
        return behaviour && behaviour->looks_for_memories;
    });
    if (!looks || !input.heard) return std::nullopt;
    auto const& origin = input.heard->from;
    auto const owner = recall::owner_in(origin.bot, origin.chat, input.heard->user);
    if (!owner) return std::nullopt;
    return storage::memory_look{owner->user, owner->chat, owner->bot};
}

json::object failed_json(walk::failed_node const& failed) {
    json::object object{
        {"node", failed.name},
        {"code", base::to_string(failed.error.code)},
        {"message", failed.error.detail}};
    if (auto data = base::data_of(failed.error); !data.is_null()) object["data"] = std::move(data);
    return object;
}

queue::outcome ending(walk_context const& context, walk& finished) {
    json::object output{{"nodes", finished.metadata()}};
    queue::outcome outcome;
    if (auto const& failed = finished.failure()) {
        auto error = failed->error;
        error.detail = failed->name + ": " + error.detail;
        outcome = queue::outcome::failed(std::move(error));
        output["error"] = failed_json(*failed);
    } else {
        outcome = queue::outcome::completed();
        outcome.degraded = context.degraded;
        bool const is_read = context.input.answers_a_message() && !context.input.silent;
        if (!is_read) output["items"] = array_of(finished.last_items());
    }
    outcome.output = std::move(output);
    auto rows = finished.last_rows();
    std::ranges::move(rows, std::back_inserter(outcome.writes));
    return outcome;
}

// True when it came to its end; false when the question was edited in the meantime.
base::awaitable<bool> walk_through(walk& flow_walk) {
    try {
        co_await flow_walk.run();
        co_return true;
    } catch (begin_anew const&) {
        co_return false;
    }
}

base::awaitable<queue::outcome> run_job(node_services const& services, queue::workflow steps) {
    base::json_reader const input{steps.job().input};
    (void)input["flow"].string();
    (void)input["version"].int64();
    if (input.failed()) co_return queue::outcome::failed(input.failure());
    auto flow = co_await find_to_run(services, choice_of(steps.job().input));
    if (!flow) co_return queue::outcome::failed(flow.error());
    auto const flow_graph = std::move(*flow);
    auto const watcher = services.watcher(steps.job().id, steps.job().lane);
    auto const drafts = services.drafts ? services.drafts(steps.job(), *flow_graph) : nullptr;
    if (!drafts) co_return co_await execute(*flow_graph, steps, services, *watcher);
    observer_pair both(*watcher, *drafts);
    co_return co_await execute(*flow_graph, steps, services, both);
}

} // namespace

base::awaitable<queue::outcome> execute(
    graph const& flow, queue::workflow steps, node_services const& services, observer& watcher
) {
    auto input = execution_input_from(steps.job().input);
    if (!input) co_return queue::outcome::failed(input.error());
    if (input->heard && input->heard->from.is_conversation())
        input->heard->message = telegram_message_id{base::raw(steps.job().id)};
    // Before anything is asked of a model for a bot that this node cannot answer through.
    if (input->heard) leave_to_a_node_serving(services.out, input->heard->from);
    if (input->heard && input->heard->of_album) co_await gather_album(steps, services);
    flow::conversation conversation(services.reads, steps.job(), *input);
    if (auto const look = look_of(flow, *input)) conversation.look_for_memories(*look);
    if (auto const* command = find_command(input->command); command && input->heard) {
        // A flow that takes no message of the place has no words for it either.
        settings own;
        if (!input->trigger.empty()) own = flow.flow().settings;
        co_return co_await answer_command(*command, own, conversation, *input, steps, services);
    }
    base::time_slice slice(services.clock);
    walk_context context{
        flow,
        steps,
        services,
        watcher,
        *input,
        conversation,
        agent_of(flow, services, *input),
        slice};
    std::optional<flow::budget_reservations> own_reservations;
    if (services.budgets) {
        own_reservations.emplace(*services.budgets, steps, *input, base::nanoid(services.random));
        context.reservations = &*own_reservations;
    }
    flow::audit_trail audit(steps, *input, services.random, services.audit_in_full);
    context.audit = &audit;
    auto const is_understood =
        co_await hear_recording(*input, conversation, steps, services, context.reservations, audit);
    if (!is_understood) co_return queue::outcome::failed(is_understood.error());
    base::fault::point("turn.started");
    for (;;) {
        ++context.times_begun;
        context.degraded.reset();
        if (!*is_understood) context.degraded = degradation_of(degraded_by::documents_missing);
        watcher.began();
        context.now = co_await time_of(flow, steps, services);
        co_await conversation.read(messages_to_read(services, *input));
        if (input->heard && context.times_begun == 1) join(*input->heard, conversation.joined());
        base::fault::point("turn.after_history");
        walk flow_walk(context);
        bool const is_complete = co_await walk_through(flow_walk);
        if (is_complete) co_return ending(context, flow_walk);
        conversation.forget();
        steps.start_over();
        if (own_reservations) own_reservations->begin_anew();
        audit.begin_anew();
    }
}

base::awaitable<base::result<std::shared_ptr<graph const>>> find_to_run(
    node_services const& services, flow_choice choice
) {
    auto flow = co_await find_chosen(services, std::move(choice));
    if (flow) co_return flow;
    auto const& failure = flow.error();
    bool const elsewhere_or_later = failure == base::errc::refused || base::retryable(failure.code);
    if (elsewhere_or_later) throw queue::not_here{failure.detail};
    co_return failure;
}

std::vector<queue::job_kind> make_executions(node_services const& services) {
    auto run = [&services](queue::workflow const& steps) { return run_job(services, steps); };
    auto failed = [&services](queue::job const& job, queue::outcome const& outcome) {
        return rows_of_failure(services, job, outcome);
    };
    std::vector<queue::job_kind> kinds;
    for (auto name : {turn_kind, flow_kind})
        kinds.push_back({.name = std::string(name), .run = run, .failed = failed});
    kinds.push_back(make_failure_notices(services.out, services.reads, services.random));
    kinds.push_back(make_question_ends(services.out));
    kinds.push_back(make_owner_notices(services.out, services.random));
    kinds.push_back(make_reminders(services.out, services.clock, services.random));
    kinds.push_back(make_removals(services.out));
    kinds.push_back(make_acts_by_hand(services.out, services.reads));
    kinds.push_back(make_catch_presses(services.out, services.reads, services.random));
    kinds.push_back(make_memory_writes(services));
    kinds.push_back(make_summaries(services));
    kinds.push_back(make_compactions(services));
    kinds.push_back(make_memory_extractions(services));
    kinds.push_back(make_memory_embeddings(services));
    kinds.push_back(make_ingestions(services));
    kinds.push_back(make_part_embeddings(services));
    return kinds;
}

} // namespace postrider::agent::flow
