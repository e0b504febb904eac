#pragma once
// One row for one statement of a batcher, for what needs no unit of its own.
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

namespace postrider::queue {

// What the statement returned for the row; column 0 is the batcher's number. Fails as
// batcher::commit does.
base::awaitable<base::result<storage::rows>> query(
    storage::batcher& of,
    storage::statement const& what,
    boost::json::object row,
    base::duration deadline
);
base::awaitable<base::result<storage::rows>> query(
    storage::batcher& of, storage::write row, base::duration deadline
);

} // namespace postrider::queue
