#pragma once
// Jobs, waits and effects as people look at them, read from the documented views. Read-only;
// inside an open transaction, for the command line and the HTTP API.
#include "queue/admin/operations.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::queue {

// Instants are ISO 8601 in UTC with microseconds; an empty text is no instant.
struct job_summary {
    std::int64_t id = 0;
    std::string lane;
    std::string kind;
    std::string state;
    std::int64_t runs = 0;
    std::int64_t lost = 0; // runs that died with their process
    std::string created_at;
    std::string started_at;
    std::string finished_at;
    std::string due_at;                // not run before
    std::string deadline_at;           // fails then
    std::chrono::microseconds age{0};  // from creation to its end, or to now
    std::chrono::microseconds took{0}; // the same, from its last restart if there was one
    std::int64_t priority = 2;
    std::int64_t restarts = 0;
    std::optional<std::int64_t> forked_from;
    std::string asked;       // cancel, rollback, pause: until its worker has done so
    std::string waiting_for; // why it does not run; empty when it does not wait
    std::optional<std::int64_t> tokens_in;
    std::optional<std::int64_t> tokens_out;
    std::optional<std::int64_t> tokens_cached; // of tokens_in
    bool degraded = false;                     // completed without what was asked for
    std::string degraded_reason; // why; empty for jobs that ended before reasons were recorded
    std::string error_class;
    std::string error;
    std::string lane_name; // in words: bot, chat and topic
    // The message that began it, as the person wrote it, cut; nothing where no message did.
    std::optional<std::string> said;
    std::optional<std::int64_t> cost_micro;
};

// What a try paid for a call of a model.
struct model_payment {
    std::int64_t tokens_in = 0;
    std::int64_t tokens_out = 0;
    std::int64_t tokens_cached = 0;         // of tokens_in
    std::optional<std::int64_t> cost_micro; // nothing = no price is configured
};
// Of the columns tokens_in, tokens_out, tokens_cached and cost (in millionths), from `first` on.
std::optional<model_payment> payment_of(storage::row const& r, std::size_t first);

struct step_summary {
    std::int64_t number = 0;
    std::string key;
    std::int64_t attempt = 1;
    std::string outcome;                 // done, retry, failed
    std::chrono::microseconds begins{0}; // after the job's creation
    std::chrono::microseconds took{0};
    std::optional<std::chrono::microseconds>
        next; // when it is tried again (a sleep: ends), after the job's creation
    std::string error_class;
    std::string error;
    boost::json::value result;
    bool result_cut = false;
    boost::json::value error_data = {}; // as base::data_of() has it; null = none
    std::string model = {}; // that answered, as it named itself; empty = no call, or no answer
    std::optional<model_payment> paid = {};
};

// Of a try that was not done.
base::error failure_of(step_summary const& step);

struct effect_summary {
    std::string key;
    std::string kind;
    std::string effect_class; // its class
    std::string state;
    bool flagged = false; // may have been done twice
    boost::json::value request;
    boost::json::value result;
    bool request_cut = false;
    bool result_cut = false;
};

struct wait_summary {
    std::string key;
    std::string type;
    std::optional<std::string> match;
    std::string since;
    std::string until;
    std::chrono::microseconds begins{0}; // since, after the job's creation
};

// An attempt whose process died; see the view lost_attempts.
struct lost_attempt {
    std::int64_t run = 0;
    std::string key; // of the step; empty while no run has come to one since
    std::int64_t node = 0;
    std::string host;
    std::string since; // it began then at the earliest
    std::string last_beat_at;
    std::string lost_at;
};

struct job_details {
    job_summary job;
    boost::json::value input;
    boost::json::value output;
    bool input_cut = false;
    bool output_cut = false;
    std::vector<step_summary> steps;
    std::vector<effect_summary> effects;
    std::vector<wait_summary> waits;         // for events
    std::vector<lost_attempt> lost_attempts; // of the first read
    std::optional<std::string> said;         // as of the summary, whole
    boost::json::value said_by;              // who wrote that, as postrider.author_of() has it
};

struct job_page {
    std::vector<job_summary> jobs;   // newest first
    std::optional<job_id> continues; // pass as `before` for the next page; none = the last page
};

job_page list_jobs(
    storage::transaction& tx, job_filter const& filter, std::optional<job_id> before, int limit
);
std::vector<job_summary> summaries_of(storage::transaction& tx, std::span<job_id const> jobs);
// Of each value (input, output, results of steps, requests and results of effects) so many bytes at
// most, about: the others stay in Postgres, and the value is cut, as base::closed_json() has it.
std::optional<job_details> read_job_details(
    storage::transaction& tx, job_id job, std::optional<std::int64_t> most_bytes = std::nullopt
);
// Its summary, with the sums of its steps where it is not over: they are the job's only at its end.
job_summary with_payments(job_details const& job);

// Brings what was read before up to date: reads the job's row, its waits, and of its steps and
// effects those that came since, which stand in their order then. How many rows of these it read;
// nothing where the job did not only go on (it was restarted, or rows are missing): then it is to
// be read anew. The input, and the states of effects that were there, stay as they were read.
std::optional<std::size_t> update_job_details(
    storage::transaction& tx, job_id job, job_details& details
);

struct doubtful_effect {
    std::int64_t job = 0;
    std::string lane;
    effect_summary effect;
    std::string planned_at;
    std::string job_state;
    std::string lane_name;
};

struct doubtful_effects_page {
    std::vector<doubtful_effect> effects; // newest jobs first
    std::optional<job_id> continues;      // as in job_page
};

// A page ends with a job's last effect, even beyond the limit: the next one begins below a job.
doubtful_effects_page list_effects_in_doubt(
    storage::transaction& tx, std::optional<job_id> before, int limit
);

} // namespace postrider::queue
