#pragma once
// What a provider's refusal means for us: HTTP status and body → errc. Pure.
//
// Both vendors' SDKs share the rule for another try: x-should-retry wins, then the status; the
// delay is retry-after-ms, else Retry-After. Details name status, type and code of the failure, and
// quote the vendor's message as vendor_words.hpp says: it may quote the request, so logs leave it
// out. Sources: Anthropic's errors page and SDK 1.11.0 (2026-11-19), OpenAI's SDK 7.55.0
// (2026-11-10).
#include "base/clock.hpp"
#include "base/error.hpp"
#include "net/http_client.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace postrider::agent {

// For an answer whose status is not 200. `model` is named in the detail of not_found.
base::error anthropic_error(
    net::http_answer const& answer, std::string_view model, base::sys_time now
);
base::error openai_error(
    net::http_answer const& answer, std::string_view model, base::sys_time now
);

// What the body of a refusal says, whole. Not for people: it may hold anything.
struct refusal_words {
    std::string message;
    std::string parameter = {}; // that it is about: "tools[3].function.parameters"
    std::string code = {};
};
refusal_words words_of_refusal(std::string const& body);

// For an "error" event in a stream of status 200: {"error": {"type", "message"}}.
base::error anthropic_error(boost::json::value const& event, std::string_view model);
// For an error object inside an answer of status 200 ({"code","message","type"}, or a text).
base::error openai_error(boost::json::value const& error, std::string_view model);

// A failure of the HTTP client. A lost answer is unavailable: asking again costs money, never harm.
base::error transport_error(base::error failure);

} // namespace postrider::agent
