#pragma once
// An HTTP answer for a model: status, the headers that matter, and a body that can be read. HTML
// becomes its readable text, other texts become UTF-8, images become media, and of what else is
// binary the type and the size are told.
#include "agent/tools/tool_output.hpp"
#include "base/async.hpp"
#include "base/clock.hpp"
#include "net/guarded_client.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent {

// Without its parameters, in lower case; "" = the server does not say.
std::string media_type_of(net::http_answer const& answer);

// The body as UTF-8, pages with their markup; nothing: it is no text. The clock outlives the call.
base::awaitable<std::optional<std::string>> answer_text(
    net::http_answer answer, base::clock& clock
);

// Bytes of that type as UTF-8, a page as its readable text; nothing: they are no text. The clock outlives the
// call. Long pages are read with pauses for other coroutines.
base::awaitable<std::optional<std::string>> readable_text(
    std::string bytes, std::string_view content_type, base::clock& clock
);

// The clock outlives the call. Long pages are read with pauses for other coroutines.
base::awaitable<tool_output> describe_answer(
    net::web_answer reached, std::string_view asked_url, base::clock& clock
);

// Of an answer whose status says that the request failed.
constexpr bool is_failure(int status) noexcept {
    return status >= 400;
}

} // namespace postrider::agent
