#pragma once
// A document of a collection, as a value. Pure.
#include "base/error.hpp"
#include "base/ids.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::knowledge {

inline constexpr std::size_t most_document_bytes = 32u << 20;
inline constexpr std::size_t longest_document_name = 400; // in bytes
inline constexpr std::size_t longest_source = 2'000;
inline constexpr std::size_t longest_media_type = 200;
inline constexpr std::size_t most_metadata_bytes = 16u << 10; // as JSON

// reading: a job is at it. failed: parts of before answer still.
enum class document_state { reading, ready, failed };
std::string_view to_string(document_state state) noexcept;
std::optional<document_state> document_state_from_string(std::string_view name) noexcept;

// Who sent it in a chat; ids are 0 where nobody did.
struct document_sender {
    user_id user{};
    chat_id chat{};
    bot_id bot{};
};

struct document_error {
    std::string code;
    std::string message; // a sentence
};

// The detail of an error as a whole sentence; one without a detail says what its code means.
std::string sentence_of(base::error const& failure);

struct stored_document {
    std::int64_t id = 0;
    std::string name;
    std::string source; // its address, else its file's name
    std::string media_type = {};
    std::int64_t bytes = 0;
    std::string title = {};
    std::optional<std::int64_t> pages = {};
    std::int64_t parts = 0;
    std::int64_t parts_done = 0; // that are stored of what is being read
    std::int64_t embedded = 0;   // parts that answer with a vector
    document_state state = document_state::reading;
    std::optional<document_error> error = {};
    job_id job{};
    boost::json::object metadata = {};
    std::string created_at = {}; // ISO 8601 in UTC
    std::string updated_at = {};
};

// A part as people see it.
struct shown_part {
    std::int64_t number = 0; // from 1
    std::string heading;     // "" = above the first one
    std::optional<std::int64_t> page;
    std::string text;
};

} // namespace postrider::agent::knowledge
