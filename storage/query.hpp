#pragma once
// Rows for statements of a batcher in one stage, for what needs no unit of its own. They commit
// whole or not at all. All of it fails as batcher::commit() does.
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

namespace postrider::storage {

// What the statements returned, in the order of the writes; column 0 is the batcher's number.
base::awaitable<base::result<std::vector<rows>>> query(
    batcher& batches, std::vector<write> writes, base::duration deadline
);
base::awaitable<base::result<rows>> query(batcher& batches, write row, base::duration deadline);

// In a transaction of its own, for what takes its locks in another order than the rest
// of its batch.
base::awaitable<base::result<std::vector<rows>>> query_apart(
    batcher& batches, std::vector<write> writes, base::duration deadline
);
base::awaitable<base::result<rows>> query_apart(
    batcher& batches, write row, base::duration deadline
);
base::awaitable<base::result<rows>> query_apart(
    batcher& batches, statement const& statement, boost::json::object row, base::duration deadline
);

} // namespace postrider::storage
