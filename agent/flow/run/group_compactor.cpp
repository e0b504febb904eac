#include "agent/flow/run/group_compactor.hpp"

#include "agent/flow/nodes/compaction_job.hpp"
#include "agent/flow/nodes/group_reading.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/model_job.hpp"
#include "agent/group/compaction.hpp"
#include "base/json/json.hpp"
#include "base/time_zone.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view compaction_step = "compact";
constexpr summary_size most_of_compaction{.words = 199, .tokens = 800}; // under 200

json::value place_json(storage::group_place const& place) {
    return {base::raw(place.job), place.position};
}

storage::group_place place_from(base::json_reader const& pair) {
    auto const members = pair.items();
    if (members.size() != 2) return {};
    return {job_id{members[0].int64()}, members[1].int64()};
}

class compactor : public model_job<compaction_request> {
public:
    using model_job::model_job;

    base::awaitable<queue::outcome> run() {
        auto const work = [this] { return summarise(); };
        auto const recorded = co_await steps_.run(compaction_step, model_job_tries, work);
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
        for (auto const& line : corrections_of(*history))
            conversation.summary += '\n' + line_of(line, conversation.chat, *zone);
        auto plan = agent::group::plan_compaction(conversation, 0, *zone);
        if (plan.messages == 0) co_return json::value();
        auto text = co_await model_.summarise(
            request_.model, std::move(plan.prompt), most_of_compaction, compaction_step
        );
        if (!text) co_return text.error();
        auto const sources = static_cast<std::int64_t>(plan.messages);
        json::object summary;
        summary["text"] = std::move(*text);
        summary["from"] = place_json(history->messages[first].place);
        summary["to"] = place_json(history->messages[first + plan.messages - 1].place);
        summary["sources"] = sources;
        summary["messages"] = sources + (before ? before->messages : 0);
        summary["read"] = reaches_to(*history).time_since_epoch().count();
        co_return json::value(std::move(summary));
    }
};

} // namespace

queue::job_kind make_compactions(node_services const& services) {
    auto run = [&services](queue::workflow& steps) {
        return run_model_job<compactor>(
            services, steps, compaction_request_from(steps.job().input)
        );
    };
    return {.name = std::string(compaction_kind), .run = run};
}

} // namespace postrider::agent::flow
