#pragma once
// Private to fake_models: how each provider's API looks from the server's side.
#include "tests/support/fake_models.hpp"
#include "tests/support/fake_models/prompt_cache.hpp"

#include <string_view>

namespace postrider::tests {

struct refusal {
    int status;
    std::string error; // type (Anthropic) or code (OpenAI)
    std::string message;
};

struct dialect {
    std::string_view path;
    // What the original finds wrong with a request, if anything. A request may end on the
    // assistant's own words only to go on after a pause_turn.
    std::optional<refusal> (*check)(fake_request const& request, bool after_pause);
    // What the prompt comes to, with what the provider has of it already.
    cache_usage (*count)(boost::json::object const& request, prompt_cache& cache);
    // The body of a good answer.
    boost::json::value (*answer
    )(fake_reply const& reply,
      boost::json::object const& request,
      int number,
      cache_usage const& used);
    boost::json::value (*failure)(refusal const& problem);
    // The same answer as events.
    std::vector<std::string> (*stream)(boost::json::object const& answer);
    // An error behind a good beginning of those.
    std::string (*error_event)(std::string const& error);
    std::string (*last_user_text)(boost::json::object const& request);
};

extern dialect const anthropic_dialect;
extern dialect const responses_dialect;
extern dialect const chat_dialect;

std::vector<std::string> anthropic_events(boost::json::object const& answer);
std::vector<std::string> response_events(boost::json::object const& answer);
std::vector<std::string> chat_events(boost::json::object const& answer);
std::string anthropic_error_event(std::string const& error);
std::string response_error_event(std::string const& error);
std::string chat_error_event(std::string const& error);

// What goes with a status when the script names no error.
std::string default_error(dialect const& of, int status);

// What a strict mode finds wrong with a schema: an object that takes other members than it names, or
// does not require all of them; "" = nothing.
std::string strict_misfit(boost::json::value const& schema);

// The member's text, or "".
std::string text_at(boost::json::value const& object, std::string_view key);
// The member, or null.
boost::json::value const& at(boost::json::value const& object, std::string_view key);
boost::json::value const& at(boost::json::object const& object, std::string_view key);

} // namespace postrider::tests
