#include "agent/tools/memory_tools.hpp"

namespace postrider::agent {

base::result<recall::memory_owner> memory_owner_of(tool_context const& context) {
    auto const& requester = context.requester();
    auto const owner = recall::owner_in(requester.bot, requester.chat, requester.user);
    if (!owner || !context.reads())
        return base::error(
            base::errc::refused, "this run has no person or group whose memories it could use"
        );
    return *owner;
}

base::result<recall::memory_owner> changing_memory_owner_of(tool_context const& context) {
    if (context.requester().is_silent)
        return base::error(
            base::errc::refused, "this run answers nobody, so it changes no memories"
        );
    return memory_owner_of(context);
}

} // namespace postrider::agent
