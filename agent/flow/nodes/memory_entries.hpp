#pragma once
// Messages of a session outside our database, as texts whose order is that of the messages. Pure.
//
// An entry is "JOB:POSITION {…}": two numbers of twenty digits, and the message's role, content and detail.
// The same message is the same entry, however often it is written.
#include "agent/flow/parts/memory.hpp"
#include "base/ids.hpp"
#include "storage/stores/messages.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::flow {

// How the entry of that place begins: all entries up to it compare as smaller.
std::string entry_place(job_id job, std::int64_t position);
// How all entries of that job begin.
std::string entries_of(job_id job);
std::string_view place_of_entry(std::string_view entry) noexcept;

std::string memory_entry(job_id job, kept_message const& remembered);
// Nothing: somebody else has written this.
std::optional<storage::message_row> row_from_entry(std::string_view entry);

} // namespace postrider::agent::flow
