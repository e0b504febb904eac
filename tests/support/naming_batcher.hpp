#pragma once
// Keeps the names of the statements with which units begin, and passes them on to another batcher, which outlives it.
#include "storage/batcher.hpp"

#include <memory>
#include <string>
#include <vector>

namespace postrider::tests {

class naming_batcher final : public storage::batcher {
public:
    explicit naming_batcher(storage::batcher& of) : of_(of) {}

    base::awaitable<base::result<void>> commit(
        std::shared_ptr<storage::unit> work, base::duration deadline
    ) override {
        for (auto const& row : work->stage(0, {})) names.emplace_back(row.statement->name);
        return of_.commit(std::move(work), deadline);
    }
    storage::batcher_counts counts() const override { return of_.counts(); }
    void close() override {}

    std::vector<std::string> names;

private:
    storage::batcher& of_;
};

} // namespace postrider::tests
