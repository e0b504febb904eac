#pragma once
// What a job's earlier runs left behind: its attempts and effects, read with one select each before
// it resumes.
#include "queue/store/checkpoint.hpp"
#include "storage/batcher.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postrider::queue {

struct step_record {
    std::vector<step_attempt> attempts; // in order of their numbers
    std::chrono::milliseconds age{0};   // since the first attempt began, by the database's clock
    // Of a sleep, or until the next try, when the record was read.
    std::optional<std::chrono::milliseconds> left;

    // The attempt that ended the step, or nothing.
    step_attempt const* final_attempt() const noexcept;
};

struct effect_record {
    effect_state state = effect_state::planned;
    queue::effect_class effect_class = queue::effect_class::at_least_once;
    std::string kind = {};
    bool flagged = false;
    bool own = false;      // started by this very run: it is not in doubt
    bool in_doubt = false; // an earlier try of it may have been done
    // Its work was called in this run, and nobody knows for certain that it came to nothing.
    bool called = false;
};

struct step_history {
    std::map<std::string, step_record> steps;
    std::vector<std::string> order; // the keys of steps, in the order in which they were asked for
    std::map<std::string, effect_record> effects;
    int next_seq = 1;
    std::string unreadable; // not empty: what of it cannot be read here, and why
};

// Fails as batcher::commit does.
base::awaitable<base::result<step_history>> load_step_history(
    storage::batcher& reads, job_id job, base::duration deadline
);

} // namespace postrider::queue
