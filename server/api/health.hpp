#pragma once
// Is the process well (/healthz), and should it get work (/readyz)?
//
// /healthz is answered by the loop alone: it tells that the loop turns. /readyz is 503 with the
// reasons while the database has not answered for 5 s, has not answered a commit for 10 s, its schema is
// older than this binary's, it refuses commits (storage/refusals.hpp), or the server drains. On the
// loop's thread.
#include "base/async.hpp"
#include "net/http.hpp"
#include "queue/node/engine.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace postrider::api {

class health {
public:
    static constexpr base::duration answer_is_fresh = std::chrono::seconds{5};
    static constexpr base::duration longest_commit = std::chrono::seconds{10};

    // The schema is as this binary needs it until another is found: a start migrates first.
    health(base::clock& clock, int schema) : clock_(clock), schema_(schema) {}

    void database_answered();
    void schema_found(int number) { schema_found_ = number; }
    // None = they are accepted.
    void commits_refused(std::optional<std::string> reason) { refusal_ = std::move(reason); }
    // How long the oldest commit waits, asked whenever reasons are.
    void watch_commits(std::function<base::duration()> oldest) { oldest_ = std::move(oldest); }
    void begin_drain() noexcept { draining_ = true; }

    // Empty = ready.
    std::vector<std::string> reasons_against() const;

private:
    base::clock& clock_;
    int schema_; // what this binary needs
    std::optional<base::steady_time> answered_;
    int schema_found_ = schema_;
    std::optional<std::string> refusal_;
    std::function<base::duration()> oldest_ = [] { return base::duration{0}; };
    bool draining_ = false;
};

net::http_response healthz();
net::http_response readyz(health const& state);

// Has the engine read the schema's number again and again; its heartbeat tells that the database
// answers.
void watch_schema(queue::engine& engine, health& state);

} // namespace postrider::api
