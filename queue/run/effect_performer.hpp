#pragma once
// What cannot be undone, performed as a step: begun only while the lease certainly lasts, and
// resolved by its class where nobody knows whether it happened.
#include "queue/run/step_runner.hpp"

#include <string>

namespace postrider::queue {

class effect_performer {
public:
    effect_performer(run_state& run, step_runner& steps) : run_(run), steps_(steps) {}

    base::awaitable<step_value> perform(
        std::string key, base::retry_policy policy, step_function work
    );
    // After their commit.
    void note_intents(std::vector<effect_intent> const& intents);
    // The job is parked before they are done: no run that finds them may think that they were
    // begun.
    void unbegin();
    // Of branches that are given up, whose keys begin so: what was never begun did not happen.
    void drop(std::string_view prefix);
    // The job is over before it has done all it meant to: an intent that was never begun did not
    // happen, one that was begun may have. `repeated`: each of several runs may have done it.
    std::vector<effect_change> close_open(bool repeated) const;
    // One was called and has not ended: the outside may be changing.
    bool is_under_way() const;

private:
    base::awaitable<step_value> attempt(
        std::string key, step_function work, std::chrono::milliseconds limit
    );
    base::awaitable<void> start(std::string const& key, effect_record& effect);
    void settle(std::string const& key, step_value const& value);
    void measure_first(std::string const& kind);
    // An earlier try of it, in this run or another, may have done it.
    bool is_in_doubt(std::string const& key, effect_record const& effect) const;

    run_state& run_;
    step_runner& steps_;
};

} // namespace postrider::queue
