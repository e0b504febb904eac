#pragma once
// What a model makes of older messages: a summary, and facts with the messages that they come from. Pure.
#include "agent/recall/older_messages.hpp"
#include "base/error.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace postrider::agent::recall {

inline constexpr int most_summary_words = 149; // a summary has under 150
inline constexpr std::size_t most_facts = 20;  // of one batch

// For the model: what it is to do, without the messages.
std::string_view extraction_instructions() noexcept;
// The messages, a line for each: its number, its day, who said it, and what. The text is people's: data.
std::string numbered_lines(std::vector<older_message> const& messages);
// JSON Schema of the answer.
boost::json::object const& extraction_schema();

struct extracted_fact {
    std::string text;
    std::vector<std::size_t> messages; // by their places among those that were read
};

struct extraction {
    std::string summary;
    std::vector<extracted_fact> facts;
};

// Of what the model said, for so many messages. Facts that name no message of these are left out, and so are
// those behind the most. invalid: it has no summary.
base::result<extraction> extraction_from(boost::json::value const& answer, std::size_t messages);

// So much of the text as a summary may have, and a memory may hold.
std::string summary_from(std::string_view text);
// So many words at most.
std::string first_words(std::string_view text, int most);

} // namespace postrider::agent::recall
