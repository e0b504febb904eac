#pragma once
// The steps of one run: their keys, their order against the record, their attempts and the delays
// between these. A step of the record is served; another is attempted once what was done outside
// before it is recorded.
#include "queue/run/order_check.hpp"
#include "queue/run/run_state.hpp"

#include <functional>
#include <map>
#include <string>

namespace postrider::queue {

// Work that keeps to the limit itself.
using bounded_function =
    std::function<base::awaitable<step_value>(std::chrono::milliseconds limit)>;

class step_runner {
public:
    explicit step_runner(run_state& run);

    base::awaitable<step_value> try_step(
        std::string name, base::retry_policy policy, step_function work
    );
    base::awaitable<step_value> record_value(std::string name, step_value value);
    // The attempts of a step whose key is known. The result is held for the next commit.
    base::awaitable<step_value> attempts(
        std::string key, base::retry_policy policy, bounded_function work
    );

    // The key of the next step of this name.
    std::string next_key(std::string const& name);
    // Checks the step's place in the record, and returns what stands there.
    step_record& ask_for(std::string const& key);
    // The number of a step that is about to begin. Throws std::length_error when a job has had too
    // many, before the work is done.
    int seq_of(step_record const& step);
    bool recorded(std::string const& name) const;
    // Of the try of that step which ends next.
    void spend(std::string const& name, usage const& used) { paid_[name] += used; }

    void in_any_order(std::vector<std::string> names);
    void skip_unasked(std::string_view prefix) { order_check_.skip_unasked(prefix); }
    // Throws record_mismatch when the record has steps that nobody asked for.
    void check_end() const;
    void start_over();

private:
    void check_order_of(std::vector<std::string> recorded);
    // Of the step of this name that is asked for next.
    std::string key_to_come(std::string const& name) const;
    base::awaitable<void> pause_before_retry(step_attempt failed);
    base::awaitable<void> await_retry(std::string const& key, step_record const& step);

    run_state& run_;
    queue::order_check order_check_;
    std::map<std::string, int> occurrences_; // of each step name so far
    std::map<std::string, usage> paid_;      // by tries that have not ended, by step name
};

// The name under which a step of this key was asked for.
std::string name_of(std::string const& key);

// What a step that was recorded came to.
step_value result_of(step_attempt const& final_attempt);

} // namespace postrider::queue
