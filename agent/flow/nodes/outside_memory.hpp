#pragma once
// A memory whose session is not in our database: how it is recalled and written, whoever keeps it.
//
// Guarantees that a turn waits for it only a moment, that every run of an execution recalls the same, that a
// silent fork changes nothing, and that what could not be written is left to a job in the next commit.
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/nodes/visible_history.hpp"
#include "agent/flow/parts/memory.hpp"

#include <boost/json/value.hpp>

#include <memory>
#include <string>
#include <vector>

namespace postrider::agent::flow {

// One session. Entries are as of memory_entries.hpp.
class outside_session {
public:
    virtual ~outside_session() = default;

    // The newest, oldest first; what others have put there may be among them.
    virtual base::awaitable<base::result<std::vector<std::string>>> read() = 0;
    // Each once, however often it is added.
    virtual base::awaitable<base::result<void>> add(std::vector<std::string> entries) = 0;
    // All that are there. A later job adds none of those up to the place (see entry_place()).
    virtual base::awaitable<base::result<void>> clear(std::string up_to) = 0;

    // Where it is, for postrider erase: what a job that is given this finds it by. Null: no other process reaches it.
    virtual boost::json::value place() const { return nullptr; }

    // Rows of the job that does the same later; none: it would be no use.
    virtual std::vector<storage::write> add_later(std::vector<std::string> const& entries
    ) const = 0;
    virtual std::vector<storage::write> clear_later(std::string const& up_to) const = 0;
};

// So much of a session is read, whatever the window is: calls of tools and their results come with
// what was said.
inline constexpr int entries_of_a_message = 20;

memory_part outside_memory(
    std::unique_ptr<outside_session> session,
    visible_history visible,
    conversation const& conversation
);

} // namespace postrider::agent::flow
