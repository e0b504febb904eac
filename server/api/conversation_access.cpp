#include "server/api/conversation_access.hpp"

#include "server/api/problem.hpp"
#include "storage/query.hpp"

#include <boost/uuid/string_generator.hpp>

#include <stdexcept>

namespace postrider::api {

bool is_conversation_id(std::string_view text) {
    // Boost takes it in braces and without dashes as well: those have another length.
    if (text.size() != 36) return false;
    try {
        (void)boost::uuids::string_generator{}(text.begin(), text.end());
        return true;
    } catch (std::runtime_error const&) {
        return false;
    }
}

std::optional<storage::api_conversation> find_own(
    storage::transaction& tx, net::http_request const& request, caller const& caller
) {
    std::string const id(request.param("id"));
    return is_conversation_id(id) ? storage::find_conversation(tx, id, caller.user) : std::nullopt;
}

net::http_response no_conversation() {
    return net::http_response::problem(404, "not_found", "you have no such conversation");
}

base::awaitable<std::variant<storage::api_conversation, net::http_response>> look_up(
    shared_services services, std::string id, user_id user
) {
    if (!is_conversation_id(id)) co_return no_conversation();
    auto conversation = storage::find_conversation(id, user);
    auto conversations =
        co_await storage::query(services->reads, std::move(conversation), database_waits.read);
    if (!conversations) co_return problem_of(conversations.error(), database_use::read);
    if (conversations->empty()) co_return no_conversation();
    co_return storage::read_conversation(conversations->front());
}

} // namespace postrider::api
