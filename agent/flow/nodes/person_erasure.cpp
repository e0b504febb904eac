#include "agent/flow/nodes/person_erasure.hpp"

#include "agent/flow/nodes/redis_memory.hpp"

namespace postrider::agent::flow {

storage::erasure_page erase_person(
    storage::transaction& tx,
    storage::erasure_place place,
    user_id person,
    std::optional<std::string> const& after,
    int most
) {
    auto page = storage::erase(tx, place, person, after, most);
    for (auto const& outside : page.outside)
        erase_from_session(tx, outside.at("session"), outside.at("jobs"));
    if (!page.outside.empty()) page.cleared["redis_session"] = std::ssize(page.outside);
    return page;
}

} // namespace postrider::agent::flow
