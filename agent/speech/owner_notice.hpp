#pragma once
// A word to those who run the product, in their private chats: about what nobody in a chat is told.
//
// A job of its own, once for each key within a day: it stays, asleep, while the same key says nothing more.
#include "agent/talk/messenger.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

inline constexpr std::string_view owner_notice_kind = "owner_notice";

struct owner_notice {
    std::string key; // 1 to 400 bytes
    std::vector<address> chats;
    std::string text;
};

// The rows that make the job; none where nobody is to be told. Nothing is sent before they are committed.
std::vector<storage::write> tell_owners(owner_notice const& notice);

// Both outlive the engine. A chat that cannot be written to keeps nobody else from hearing it.
queue::job_kind make_owner_notices(messenger& out, base::random_source& random);

} // namespace postrider::agent
