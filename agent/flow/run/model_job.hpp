#pragma once
// A job that asks a model for itself: what its kinds have in common. Each kind has a class whose run() does the work, once for each
// run of the job. Within the budget of the flow that its request names.
#include "agent/flow/run/job_model_call.hpp"
#include "queue/workflow.hpp"

#include <chrono>
#include <utility>

namespace postrider::agent::flow {

// Of the step that asks.
inline constexpr base::retry_policy model_job_tries{
    .limit = 5, .delay = std::chrono::seconds{30}, .timeout = std::chrono::minutes{15}};

template<class Request>
class model_job {
public:
    // It outlives its coroutines, and what it refers to outlives it.
    model_job(node_services const& services, queue::workflow& steps, Request request)
        : services_(services),
          steps_(steps),
          request_(std::move(request)),
          model_(services, steps, request_.flow) {}

protected:
    node_services const& services_;
    queue::workflow& steps_;
    Request request_;
    job_model_call model_;
};

// Fails where the job's input is no request.
template<class Job, class Request>
base::awaitable<queue::outcome> run_model_job(
    node_services const& services, queue::workflow& steps, base::result<Request> request
) {
    if (!request) co_return queue::outcome::failed(request.error());
    Job job(services, steps, std::move(*request));
    co_return co_await job.run();
}

} // namespace postrider::agent::flow
