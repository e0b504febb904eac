#include "agent/flow/run/session_summariser.hpp"

#include "agent/flow/nodes/session_summary.hpp"
#include "agent/flow/nodes/summary_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/model_job.hpp"
#include "base/json/json.hpp"
#include "storage/stores/sessions.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view summary_step = "summarise";
constexpr int most_summarised = 1'000; // messages that were said
constexpr summary_size most_of_summary{.words = most_summary_words, .tokens = 600};

class summariser : public model_job<summary_request> {
public:
    using model_job::model_job;

    base::awaitable<queue::outcome> run() {
        auto const work = [this] { return summarise(); };
        auto const recorded = co_await steps_.run(summary_step, model_job_tries, work);
        if (!recorded) co_return queue::outcome::failed(recorded.error());
        auto outcome = queue::outcome::completed();
        if (recorded->is_null()) co_return outcome; // nothing is left to be summarised
        base::json_reader const summary{*recorded};
        storage::message_row row;
        row.job = job_id{summary["job_id"].int64()};
        row.position = summary["position"].int64();
        row.role = "system";
        row.content = summary["text"].string();
        if (auto const covers = summary["covers"]) row.detail = *covers.raw();
        if (summary.failed()) co_return queue::outcome::failed(summary.failure());
        outcome.output = row.detail;
        outcome.writes.push_back(storage::add_summary(request_.session, row));
        co_return outcome;
    }

private:
    base::awaitable<queue::step_value> summarise() {
        auto rows = co_await storage::read_session(
            services_.reads,
            request_.session,
            base::raw(steps_.job().id),
            most_summarised,
            bounds::longest_read
        );
        if (!rows) co_return rows.error();
        auto plan = plan_summary(*rows, request_.window);
        if (!plan) co_return json::value();
        auto text = co_await model_.summarise(
            request_.model, std::move(plan->prompt), most_of_summary, summary_step
        );
        if (!text) co_return text.error();
        json::object summary;
        summary["text"] = std::move(*text);
        summary["job_id"] = base::raw(plan->row.job);
        summary["position"] = plan->row.position;
        summary["covers"] = std::move(plan->row.detail);
        co_return json::value(std::move(summary));
    }
};

} // namespace

queue::job_kind make_summaries(node_services const& services) {
    auto run = [&services](queue::workflow& steps) {
        return run_model_job<summariser>(services, steps, summary_request_from(steps.job().input));
    };
    return {.name = std::string(summary_kind), .run = run};
}

} // namespace postrider::agent::flow
