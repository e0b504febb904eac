#pragma once
// What one run of an execution reserves of its budgets for model calls, where any are configured.
//
// Guarantees that a call that was reserved is settled by the commit that records it, also where that
// commit came too late for an edit and the graph began anew; and that what an earlier run of the
// job left reserved is given back by the first call of this one. On the executor's one thread.
#include "agent/flow/budgets.hpp"
#include "queue/workflow.hpp"

#include <string>
#include <vector>

namespace postrider::agent::flow {

class budget_reservations {
public:
    // What it refers to outlives it. `run`: drawn anew for each run of a job.
    budget_reservations(
        agent::budgets const& budgets,
        queue::workflow steps,
        execution_input const& input,
        std::string run
    )
        : budgets_(budgets),
          steps_(std::move(steps)),
          limits_(budgets_of(budgets, input)),
          run_(std::move(run)) {}

    // One call; settled when it is gone.
    class call {
    public:
        call(budget_reservations& owner, int number) : reservations_(&owner), number_(number) {}
        call(call const&) = delete;
        call& operator=(call const&) = delete;
        ~call() { reservations_->settle(number_, paid_); }
        void pay(storage::spending const& paid) { paid_ = paid; }

    private:
        budget_reservations* reservations_;
        int number_;
        storage::spending paid_;
    };

    // The number of a call that may take so long. budget, overloaded: as refusal() says;
    // unavailable, timeout: the database is away.
    base::awaitable<base::result<int>> reserve(
        storage::spending estimate, std::chrono::milliseconds longest_call
    );

    // Before the graph is walked anew: what the refused commit had settled is the next one's.
    void begin_anew();

private:
    void settle(int number, storage::spending const& paid);

    agent::budgets const& budgets_;
    queue::workflow steps_;
    std::vector<storage::budget> limits_;
    std::string run_;
    int calls_ = 0;
    std::vector<storage::write> settled_;
};

} // namespace postrider::agent::flow
