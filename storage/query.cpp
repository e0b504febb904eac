#include "storage/query.hpp"

#include <boost/json/serialize.hpp>

namespace postrider::storage {

namespace {

class single_stage final : public unit {
public:
    single_stage(std::vector<write> writes, bool apart)
        : writes_(std::move(writes)),
          apart_(apart) {}

    std::vector<write> stage(int number, std::vector<rows> const& returned) override {
        if (number == 0) return writes_;
        returned_ = returned;
        return {};
    }
    bool is_last(int) const override { return true; }
    bool apart() const override { return apart_; }

    // After the commit.
    std::vector<rows> take() { return std::move(returned_); }

private:
    std::vector<write> writes_;
    bool apart_;
    std::vector<rows> returned_;
};

base::awaitable<base::result<std::vector<rows>>> commit(
    batcher& batches, std::vector<write> writes, bool apart, base::duration deadline
) {
    auto unit = std::make_shared<single_stage>(std::move(writes), apart);
    auto done = co_await batches.commit(unit, deadline);
    if (!done) co_return done.error();
    co_return unit->take();
}

base::awaitable<base::result<rows>> commit_row(
    batcher& batches, write row, bool apart, base::duration deadline
) {
    std::vector<write> writes;
    writes.push_back(std::move(row));
    auto returned = co_await commit(batches, std::move(writes), apart, deadline);
    if (!returned) co_return returned.error();
    co_return std::move(returned->front());
}

} // namespace

base::awaitable<base::result<std::vector<rows>>> query(
    batcher& batches, std::vector<write> writes, base::duration deadline
) {
    return commit(batches, std::move(writes), false, deadline);
}

base::awaitable<base::result<rows>> query(batcher& batches, write row, base::duration deadline) {
    return commit_row(batches, std::move(row), false, deadline);
}

base::awaitable<base::result<std::vector<rows>>> query_apart(
    batcher& batches, std::vector<write> writes, base::duration deadline
) {
    return commit(batches, std::move(writes), true, deadline);
}

base::awaitable<base::result<rows>> query_apart(
    batcher& batches, write row, base::duration deadline
) {
    return commit_row(batches, std::move(row), true, deadline);
}

base::awaitable<base::result<rows>> query_apart(
    batcher& batches, statement const& statement, boost::json::object row, base::duration deadline
) {
    return query_apart(batches, write{&statement, boost::json::serialize(row)}, deadline);
}

} // namespace postrider::storage
