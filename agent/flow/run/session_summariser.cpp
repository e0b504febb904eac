#include "agent/flow/run/session_summariser.hpp"

#include "agent/flow/nodes/session_summary.hpp"
#include "agent/flow/nodes/summary_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/job_model_call.hpp"
#include "agent/flow/run/requested_work.hpp"
#include "base/json/json.hpp"
#include "storage/stores/sessions.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view summary_step = "summarise";
constexpr int most_summarised = 1'000; // messages that were said
constexpr int summary_tokens = 600;

constexpr base::retry_policy summary_tries{
    .limit = 5, .delay = std::chrono::seconds{30}, .timeout = std::chrono::minutes{15}};

// What one run of the job asks with. It outlives its coroutines.
class summariser {
public:
    summariser(node_services const& services, queue::workflow& steps, summary_request request)
        : services_(services),
          steps_(steps),
          request_(std::move(request)),
          model_(services, steps, request_.flow) {}

    base::awaitable<queue::outcome> run() {
        auto const work = [this] { return summarise(); };
        auto const recorded = co_await steps_.run(summary_step, summary_tries, work);
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
        chat_request question;
        question.messages.push_back({.role = role::user, .content = plan->prompt});
        question.max_tokens = summary_tokens;
        auto const reply =
            co_await model_.ask_selected(request_.model, std::move(question), summary_step);
        if (!reply) co_return reply.error();
        auto text = first_words(reply->text, most_summary_words);
        if (text.empty())
            co_return base::error(base::errc::invalid, "the model's summary is empty");
        json::object summary;
        summary["text"] = std::move(text);
        summary["job_id"] = base::raw(plan->row.job);
        summary["position"] = plan->row.position;
        summary["covers"] = std::move(plan->row.detail);
        co_return json::value(std::move(summary));
    }

    node_services const& services_;
    queue::workflow& steps_;
    summary_request request_;
    job_model_call model_;
};

} // namespace

queue::job_kind make_summaries(node_services const& services) {
    auto run = [&services](queue::workflow& steps) {
        return run_requested<summariser, summary_request_from>(services, steps);
    };
    return {.name = std::string(summary_kind), .run = run};
}

} // namespace postrider::agent::flow
