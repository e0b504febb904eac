#pragma once
// One person's words, cleared page by page (storage/stores/erasure.hpp), also from sessions outside our database: a job for
// each of them, in the page's transaction.
#include "storage/stores/erasure.hpp"

namespace postrider::agent::flow {

// As storage::erase(). `redis_session` counts the jobs.
storage::erasure_page erase_person(
    storage::transaction& tx,
    storage::erasure_place place,
    user_id person,
    std::optional<std::string> const& after,
    int most
);

} // namespace postrider::agent::flow
