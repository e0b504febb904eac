#include "agent/spam/recent_messages.hpp"

#include "agent/spam/hash.hpp"

#include <algorithm>

namespace postrider::agent::spam {

std::uint64_t wording_of(normal_text const& text) noexcept {
    return text.folded.empty() ? 0 : hash_of(text.folded);
}

void recent_messages::remember(message const& message, normal_text const& text) {
    auto const oldest = message.sent_at - longest_recent;
    std::erase_if(messages, [&](recent_message const& past) { return past.sent_at < oldest; });
    auto const characters = message.album.empty() ? text.characters : characters_of_part;
    messages.push_back(
        {message.author.id,
         wording_of(text),
         static_cast<std::uint32_t>(std::min<std::size_t>(characters, characters_of_part)),
         message.sent_at}
    );
    if (messages.size() > most_recent_messages)
        messages.erase(messages.begin(), messages.end() - most_recent_messages);
}

} // namespace postrider::agent::spam
