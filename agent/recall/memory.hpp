#pragma once
// A memory that outlasts the window of a conversation, as a value. Pure.
#include "agent/recall/memory_owner.hpp"

#include <boost/json/array.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::recall {

// note: somebody asked for it. fact and summary: a job found it in older messages.
enum class memory_kind { note, fact, summary };
std::string_view to_string(memory_kind kind) noexcept;
std::optional<memory_kind> memory_kind_from_string(std::string_view name) noexcept;

// Of its text, in characters of at most four bytes.
inline constexpr std::size_t longest_memory = 4000;

// A message that it comes from.
struct memory_source {
    lane_id lane{};
    job_id job{};
    std::int64_t position = 0;
    std::string digest = {}; // MD5 of the text as it was read, in hex; "" = as it stands now

    bool operator==(memory_source const&) const = default;
};

struct stored_memory {
    std::int64_t id = 0;
    memory_owner owner = {};
    memory_kind kind = memory_kind::note;
    std::string text;
    std::string language = {};   // a code of two letters; "" = not known
    std::string created_at = {}; // ISO 8601 in UTC
    std::optional<std::string> expires_at = {};
};

struct recalled_memory {
    std::int64_t id = 0;
    memory_kind kind = memory_kind::note;
    std::string text;
    std::string created_at;            // ISO 8601 in UTC
    double score = 0;                  // 0 to 1
    std::vector<user_id> said_by = {}; // people whose messages it comes from
};

// Their ids as an array. `said_by` is a name that postrider erase looks for, wherever a recalled memory is recorded.
boost::json::array said_by_json(recalled_memory const& memory);

// That of the text by our rules for languages; "" where they know none: then the small words tell (memory_language).
std::string_view language_of_memory(std::string_view text);

// A line for each, with the day on which it was made, for a model.
std::string lines_of(std::vector<recalled_memory> const& memories);

} // namespace postrider::agent::recall
