#pragma once
// How far documents are that a command waits for, from looks at the database. Pure.
//
// Guarantees that the waiting ends only when each document is read, has failed or is gone, or when no server runs that
// could read them: a job that waits for its turn or for another try is waited for, however long that takes.
#include "agent/knowledge/document.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace postrider::cli {

struct watched_document {
    agent::knowledge::stored_document document;
    std::string waiting_reason =
        {}; // why its job does not run, in words; "" = it runs, or that is not known
};

struct reading_look {
    std::map<std::int64_t, watched_document> documents; // by id; those that are there
    bool server_runs = false;
    std::chrono::steady_clock::time_point at;
};

class reading_progress {
public:
    // A server that was seen may be away for that long: one that is restarted comes back.
    static constexpr std::chrono::seconds longest_absence{60};

    void watch(std::int64_t document, std::string name) { waiting_[document] = std::move(name); }

    // Lines for people: what has changed since the look before.
    std::vector<std::string> take(reading_look const& look);

    bool is_over() const { return waiting_.empty() || without_server_; }
    // Documents are left that no server reads.
    bool is_without_server() const { return without_server_ && !waiting_.empty(); }
    int failures() const { return failures_; }

private:
    void take_document(
        std::int64_t id,
        std::string const& name,
        watched_document const* seen,
        std::vector<std::string>& lines
    );

    std::map<std::int64_t, std::string> waiting_ =
        {};                                          // names of those that are not read yet, by id
    std::map<std::int64_t, std::string> shown_ = {}; // what was said of each last
    std::optional<std::chrono::steady_clock::time_point> last_server_ = {};
    bool without_server_ = false;
    int failures_ = 0;
};

} // namespace postrider::cli
