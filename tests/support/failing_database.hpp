#pragma once
// A database that fails all that it is asked for, at once: a frozen one is this with a time-out,
// without the time. It remembers for how long each was ready to wait.
#include "storage/database.hpp"

#include <utility>
#include <vector>

namespace postrider::tests {

class failing_database final : public storage::database {
public:
    explicit failing_database(base::errc failure) : failure_(failure) {}

    std::vector<base::duration> waits;

    base::awaitable<base::result<void>> run(
        std::string_view, std::function<void(storage::transaction&)>, base::duration deadline
    ) override {
        waits.push_back(deadline);
        co_return failure_;
    }
    base::awaitable<base::result<storage::rows>> query(
        storage::statement, std::vector<storage::param>, base::duration deadline
    ) override {
        waits.push_back(deadline);
        co_return failure_;
    }
    storage::database_options const& options() const override { return options_; }
    void close() override {}

private:
    base::errc failure_;
    storage::database_options options_;
};

} // namespace postrider::tests
