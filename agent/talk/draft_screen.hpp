#pragma once
// The port on which people see an answer while it is written. A draft is no message: it is in no history, and it is
// gone with the next message of its chat, or within half a minute.
#include "agent/talk/address.hpp"
#include "base/async.hpp"
#include "base/error.hpp"

#include <cstdint>
#include <string>

namespace postrider::agent {

class draft_screen {
public:
    virtual ~draft_screen() = default;

    // False: people see no drafts there.
    virtual bool shows(address const& chat) const = 0;
    // Shows the text, Markdown that may end anywhere, in place of the draft with that number, which is not 0. Ends
    // within seconds. Errors: refused (people see no drafts there, after all), rate_limited (retry_after); with any
    // other this text alone is not shown.
    virtual base::awaitable<base::result<void>> show(
        address chat, std::int64_t number, std::string text
    ) = 0;
};

} // namespace postrider::agent
