#pragma once
// A collection of documents, and who may search it, as values. Pure.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

inline constexpr std::size_t longest_description = 500; // of a collection, in characters

// a-z, 0-9, '_' and '-', at most 64; not "-" alone. No function finds a collection by another name.
bool is_collection_name(std::string_view name) noexcept;

// Whose questions may search: those of the bot's owners, or of everybody whom a bot answers.
enum class allowed_people { owners, allowed };
std::string_view to_string(allowed_people people) noexcept;
std::optional<allowed_people> allowed_people_from_string(std::string_view name) noexcept;

struct collection_access {
    std::optional<std::vector<std::string>> flows = {}; // nothing = every flow
    allowed_people people = allowed_people::allowed;

    bool operator==(collection_access const&) const = default;
};

// Whether an execution of the flow may search it. `is_owner`: of the bot, who asks; where nobody does, false.
bool may_search(collection_access const& access, std::string_view flow, bool is_owner) noexcept;

struct stored_collection {
    std::int64_t id = 0;
    std::string name;
    std::string description = {};
    collection_access access = {};
    std::int64_t documents = 0;
    std::int64_t parts = 0;      // that a search finds
    std::int64_t bytes = 0;      // of the documents
    std::int64_t embedded = 0;   // parts with a vector
    std::string created_at = {}; // ISO 8601 in UTC
    std::string updated_at = {};
};

} // namespace postrider::agent::knowledge
