#pragma once
// What people have set for themselves, wherever they said it: a row for each person who has.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

// The last one of a person stands. Order 65; returns no row.
write set_timezone(user_id user, std::string_view timezone);

// Nothing: the person has set none. Fails as batcher::commit().
base::awaitable<base::result<std::optional<std::string>>> read_timezone(
    batcher& reads, user_id user, base::duration deadline
);

} // namespace postrider::storage
