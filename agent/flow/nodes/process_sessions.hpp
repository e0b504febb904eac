#pragma once
// Sessions in the memory of this process: empty once it restarts, and unknown to other processes. On the
// executor's one thread.
//
// All of them together have a bound: the session that was used the longest time ago is forgotten first.
#include "agent/flow/nodes/outside_memory.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace postrider::agent::flow {

class process_sessions {
public:
    static constexpr std::size_t most_bytes = std::size_t{64} * 1024 * 1024;

    explicit process_sessions(std::size_t most = most_bytes) : most_(most) {}

    std::vector<std::string> read(std::string const& key);
    void add(std::string const& key, std::vector<std::string> entries);
    void clear(std::string const& key);
    // Nobody knows here whose words an entry has: once a person is erased, all go.
    void clear_all() noexcept;

private:
    struct session {
        std::set<std::string> entries;
        std::size_t bytes = 0;
        std::uint64_t used = 0; // as of uses_
    };
    session& touched(std::string const& key);
    void forget(std::map<std::string, session>::iterator position);

    std::map<std::string, session> sessions_;
    std::size_t bytes_ = 0;
    std::size_t most_;
    std::uint64_t uses_ = 0;
};

// refused: the process keeps none.
base::result<memory_part> process_memory_part(
    part_run& run, std::string const& session, visible_history visible
);

} // namespace postrider::agent::flow
