#pragma once
// What a client wants to watch on its one stream (GET /api/v1/events). A kind of topic is one value in
// event_topics.cpp. Pure.
#include "queue/admin/job_match.hpp"
#include "server/api/authentication.hpp"
#include "server/api/inputs.hpp"
#include "server/api/job_log.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::api {

// Lists and figures of which only a summary is compared.
enum class mark_topic { counts, attention, lanes, nodes, approvals };
std::string_view to_string(mark_topic topic) noexcept;

inline constexpr std::size_t most_topics = 20; // of one stream

struct event_topics {
    std::vector<std::string> words; // as asked for, each once
    std::set<mark_topic> marks;
    bool jobs = false;
    bool demo = false;        // the chat of demo mode
    queue::job_filter filter; // of jobs
    std::set<job_id> single_jobs;
    std::vector<job_id> executions;
    std::vector<std::string> conversations; // their UUIDs, lower case

    bool follow_jobs() const noexcept { return jobs || !single_jobs.empty(); }
    // The job is to be told of. Nothing: it is not, and never was; false: it may have matched before.
    std::optional<bool> admits(logged_job const& job) const;
};

// "topics", separated by commas, and the filter of GET /jobs.
event_topics read_topics(parameters& query);

// The first topic that the caller may not watch, as its words say it; nothing where all are allowed.
std::optional<std::string> forbidden_topic(event_topics const& topics, storage::token_role role);

inline constexpr std::string_view demo_topic = "demo";
std::string topic_of(job_id execution);
std::string topic_of(std::string const& conversation);

} // namespace postrider::api
