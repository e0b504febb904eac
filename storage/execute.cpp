#include "storage/execute.hpp"

namespace postrider::storage {

base::awaitable<base::result<void>> execute(
    database& db, statement statement, std::vector<param> params, base::duration deadline
) {
    auto done = co_await db.query(statement, std::move(params), deadline);
    if (!done) co_return done.error();
    co_return base::result<void>{};
}

} // namespace postrider::storage
