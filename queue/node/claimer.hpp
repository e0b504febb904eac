#pragma once
// Takes ready lanes for one node whenever it has free slots: when told, when the next one is known
// to become ready, and now and then while there is work. Among suspects it takes one at a time.
// On the executor's one thread.
#include "base/async.hpp"
#include "queue/node/claim.hpp"
#include "queue/node/engine.hpp"
#include "queue/node/worker.hpp"
#include "queue/store/poll.hpp"

#include <functional>
#include <optional>

namespace postrider::queue {

class claimer {
public:
    struct services {
        storage::batcher& quick;
        base::clock& clock;
        queue::worker& worker;
        std::function<bool()> may_act; // leases are known to be good
    };

    // The options outlive it.
    claimer(
        boost::asio::any_io_executor executor, services dependencies, engine_options const& options
    );

    // Has the poll read when the next lane is ready. Before it runs.
    void follow(poll& reads);
    // Until stop(), for the node that `self` names at each time.
    base::awaitable<void> run(std::function<node_id()> self);
    void stop();

    // Lanes may have become ready, or slots free.
    void wake();
    // A suspect may have ended.
    void end_trial();

    // There is, or was a moment ago, work: look around often.
    bool active() const;
    void note_activity();
    // Lanes wait for a slot.
    bool backlog() const noexcept { return backlog_; }
    void note_backlog() noexcept { backlog_ = true; }

private:
    // A suspect that runs here by itself, and how long no other one joins it.
    struct trial {
        lease of;
        job_id job;
        base::steady_time until;
    };

    bool may_try_suspect() const;
    void begin_trial(claimed_lane const& lane, job_id job);
    std::optional<std::chrono::microseconds> look_since() const;
    void note_look(claim_request const& request, claim_result const& result);
    void note_ready(storage::rows const& ready);
    base::awaitable<void> rest(bool has_slots, base::duration pause);
    base::steady_time next_claim();
    base::awaitable<int> claim(node_id self, int slots);

    services services_;
    engine_options const& options_;
    base::signal wake_;
    base::steady_time next_ready_{};
    std::chrono::microseconds first_ready_{0}; // of the last look, by the database's clock
    base::steady_time full_look_at_{};
    base::steady_time active_until_{};
    std::optional<trial> trial_;
    int passed_over_ = 0; // by the last claim
    bool woken_ = false;  // since the loop looked last
    bool stopped_ = false;
    bool backlog_ = false;
};

} // namespace postrider::queue
