#pragma once
// What the endpoints of conversations share, and which conversation a caller has.
#include "server/api/conversation_listeners.hpp"
#include "server/api/conversation_looks.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/watch_places.hpp"
#include "storage/stores/conversations.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace postrider::api {

// At a time. A person has tabs on several devices, and each may watch several conversations.
inline constexpr int most_conversation_watchers = 2000;
inline constexpr int most_watchers_of_a_person = 50;

struct shared_conversations : conversation_services {
    explicit shared_conversations(conversation_services services)
        : conversation_services(services) {}

    // The database of watchers, which is the same for all of them.
    conversation_looks& looks_at(storage::database& db) {
        if (!looks)
            looks = std::make_unique<conversation_looks>(look_at_conversations(db, nodes.clock));
        return *looks;
    }

    conversation_listeners listeners;
    std::unique_ptr<conversation_looks> looks;
    watch_places places{most_conversation_watchers, most_watchers_of_a_person};
};
using shared_services = std::shared_ptr<shared_conversations>;

bool is_conversation_id(std::string_view text);
// The conversation that the path names. Nothing: it is none of the caller's.
std::optional<storage::api_conversation> find_own(
    storage::transaction& tx, net::http_request const& request, caller const& caller
);
net::http_response no_conversation();
// The same by a batch of reads. 404, or 503 when there is none to be had.
base::awaitable<std::variant<storage::api_conversation, net::http_response>> look_up(
    shared_services services, std::string id, user_id user
);

} // namespace postrider::api
