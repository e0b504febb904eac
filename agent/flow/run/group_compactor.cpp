#include "agent/flow/run/group_compactor.hpp"

#include "agent/flow/nodes/compaction_job.hpp"
#include "agent/flow/nodes/group_reading.hpp"
#include "agent/flow/nodes/session_summary.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/job_model_call.hpp"
#include "agent/flow/run/requested_work.hpp"
#include "agent/group/compaction.hpp"
#include "base/json/json.hpp"
#include "base/time_zone.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view compaction_step = "compact";
constexpr int most_words = 199; // a summary has under 200
constexpr int compaction_tokens = 800;

constexpr base::retry_policy compaction_tries{
    .limit = 5, .delay = std::chrono::seconds{30}, .timeout = std::chrono::minutes{15}};

json::value place_json(storage::group_place const& place) {
    return {base::raw(place.job), place.position};
}

storage::group_place place_from(base::json_reader const& pair) {
    auto const members = pair.items();
    if (members.size() != 2) return {};
    return {job_id{members[0].int64()}, members[1].int64()};
}

// What one run of the job asks with. It outlives its coroutines.
class compactor {
public:
    compactor(node_services const& services, queue::workflow& steps, compaction_request request)
        : services_(services),
          steps_(steps),
          request_(std::move(request)),
          model_(services, steps, request_.flow) {}

    base::awaitable<queue::outcome> run() {
        auto const work = [this] { return summarise(); };
        auto const recorded = co_await steps_.run(compaction_step, compaction_tries, work);
        if (!recorded) co_return queue::outcome::failed(recorded.error());
        auto outcome = queue::outcome::completed();
        if (recorded->is_null()) co_return outcome; // another one has summarised them
        base::json_reader const covers{*recorded};
        storage::summary_row summary;
        summary.up_to = place_from(covers["to"]);
        summary.messages = covers["messages"].int64();
        summary.text = covers["text"].string();
        summary.read_at = base::sys_time{std::chrono::microseconds{covers["read"].int64()}};
        storage::summary_source source{request_.page.lane, request_.page.chat};
        source.first = place_from(covers["from"]);
        source.messages = covers["sources"].int64();
        source.since = request_.page.since;
        if (covers.failed()) co_return queue::outcome::failed(covers.failure());
        auto output = recorded->as_object();
        output.erase("text");
        outcome.output = std::move(output);
        outcome.writes.push_back(storage::add_group_summary(source, summary));
        co_return outcome;
    }

private:
    base::awaitable<queue::step_value> summarise() {
        auto history = co_await storage::read_group_context(
            services_.reads, request_.page, bounds::longest_read
        );
        if (!history) co_return history.error();
        auto const& before = history->summary;
        if (before && (!request_.summarised || before->up_to > *request_.summarised))
            co_return json::value();
        auto const zone = base::find_time_zone(request_.zone);
        if (!zone) co_return zone.error();
        // Every message as it reads now: there are no edits apart.
        auto conversation = context_of(*history, request_.page.chat, history->arrived_at);
        // No more than turns read: a request that is too long for the model would be so at every try.
        leave_out_oldest(conversation, least_tokens_of(request_.page.most), *zone);
        auto const first = history->messages.size() - conversation.messages.size();
        auto plan = agent::group::plan_compaction(conversation, 0, *zone);
        if (plan.messages == 0) co_return json::value();
        auto text = co_await ask(std::move(plan.prompt));
        if (!text) co_return text.error();
        auto const sources = static_cast<std::int64_t>(plan.messages);
        json::object summary;
        summary["text"] = std::move(*text);
        summary["from"] = place_json(history->messages[first].place);
        summary["to"] = place_json(history->messages[first + plan.messages - 1].place);
        summary["sources"] = sources;
        summary["messages"] = sources + (before ? before->messages : 0);
        summary["read"] = history->read_at.time_since_epoch().count();
        co_return json::value(std::move(summary));
    }

    base::awaitable<base::result<std::string>> ask(std::string prompt) {
        chat_request question;
        question.messages.push_back({.role = role::user, .content = std::move(prompt)});
        question.max_tokens = compaction_tokens;
        auto const reply =
            co_await model_.ask_selected(request_.model, std::move(question), compaction_step);
        if (!reply) co_return reply.error();
        auto text = first_words(reply->text, most_words);
        if (text.empty())
            co_return base::error(base::errc::invalid, "the model's summary is empty");
        co_return text;
    }

    node_services const& services_;
    queue::workflow& steps_;
    compaction_request request_;
    job_model_call model_;
};

} // namespace

queue::job_kind make_compactions(node_services const& services) {
    auto run = [&services](queue::workflow& steps) {
        return run_requested<compactor, compaction_request_from>(services, steps);
    };
    return {.name = std::string(compaction_kind), .run = run};
}

} // namespace postrider::agent::flow
