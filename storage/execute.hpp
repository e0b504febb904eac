#pragma once
// A statement that returns nothing of use, in a transaction of its own. On the executor's thread;
// the database outlives the call. Errors as database::query().
#include "storage/database.hpp"

#include <vector>

namespace postrider::storage {

base::awaitable<base::result<void>> execute(
    database& db, statement statement, std::vector<param> params, base::duration deadline
);

} // namespace postrider::storage
