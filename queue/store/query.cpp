#include "queue/store/query.hpp"

#include <boost/json/serialize.hpp>

namespace postrider::queue {

namespace {

class one_write final : public storage::unit {
public:
    explicit one_write(storage::write what) : what_(std::move(what)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) return {what_};
        result = returned.front();
        return {};
    }
    bool is_last(int) const override { return true; }
    // What such statements lock (buckets, places) has no order among different statements.
    bool apart() const override { return true; }

    storage::rows result;

private:
    storage::write what_;
};

} // namespace

base::awaitable<base::result<storage::rows>> query(
    storage::batcher& of,
    storage::statement const& what,
    boost::json::object row,
    base::duration deadline
) {
    return query(of, storage::write{&what, boost::json::serialize(row)}, deadline);
}

base::awaitable<base::result<storage::rows>> query(
    storage::batcher& of, storage::write row, base::duration deadline
) {
    auto unit = std::make_shared<one_write>(std::move(row));
    auto done = co_await of.commit(unit, deadline);
    if (!done) co_return done.error();
    co_return std::move(unit->result);
}

} // namespace postrider::queue
