#pragma once
// A job whose input is a request: the work is a value of a class that is made of the services, the steps and the request.
#include "queue/workflow.hpp"

#include <utility>

namespace postrider::agent::flow {

struct node_services;

// failed: the input is no such request.
template<class Work, auto request_from>
base::awaitable<queue::outcome> run_requested(
    node_services const& services, queue::workflow& steps
) {
    auto request = request_from(steps.job().input);
    if (!request) co_return queue::outcome::failed(request.error());
    Work work(services, steps, std::move(*request));
    co_return co_await work.run();
}

} // namespace postrider::agent::flow
