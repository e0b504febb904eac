#pragma once
// What a tool returns, how much of it a model gets, and how it is recorded. Pure.
#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace postrider::agent {

// A change that a tool made, in words that a person checks.
struct receipt {
    std::string action; // "created"
    std::string kind;   // "reminder"
    std::string id;     // "17"
    std::string words;  // "tomorrow at 9: call Ann"

    bool operator==(receipt const&) const = default;
};

struct tool_media {
    std::string type; // "image/png"
    std::string bytes;

    bool operator==(tool_media const&) const = default;
};

// Bytes of all media of one result. What is beyond is left out, and the text says so.
inline constexpr std::size_t media_limit = 1u << 20;

struct tool_output {
    std::string text = {};         // for the model; "" = the value, as JSON
    boost::json::value value = {}; // null = none
    std::vector<tool_media> media = {};
    std::vector<receipt> receipts = {};
    // The answer tells of the call: its risk was medium when it ran, whatever it is later.
    bool is_reported = false;

    tool_output() = default;
    tool_output(std::string words) : text(std::move(words)) {}
    tool_output(char const* words) : text(words) {}
    static tool_output of(boost::json::value structured) {
        tool_output output;
        output.value = std::move(structured);
        return output;
    }
};

// The text, cut before the character that would make it longer than the limit, with a note of how
// many bytes are missing behind it; the whole is within the limit. It is UTF-8 in any case.
std::string cut_to(std::string text, std::size_t limit);

// As a model gets it: text of at most `limit` bytes, a line for each of the media. A value whose
// JSON is longer than the limit, and media beyond media_limit, are dropped.
tool_output within(tool_output output, std::size_t limit);

// In the record: a string where there is nothing but text.
boost::json::value to_json(tool_output const& output);
// invalid: not of that form.
base::result<tool_output> tool_output_from_json(boost::json::value const& recorded);

} // namespace postrider::agent
