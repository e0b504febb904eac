#pragma once
// Counts the queries that go to another database, which outlives it.
#include "storage/database.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::tests {

class counting_transaction final : public storage::transaction {
public:
    counting_transaction(storage::transaction& of, std::atomic<int>& count)
        : of_(of),
          count_(count) {}

    storage::rows query(
        storage::statement const& statement, std::vector<storage::param> const& params
    ) override {
        ++count_;
        return of_.query(statement, params);
    }
    void script(std::string_view sql) override { of_.script(sql); }

private:
    storage::transaction& of_;
    std::atomic<int>& count_;
};

class counting_database final : public storage::database {
public:
    explicit counting_database(storage::database& of) : of_(of) {}

    base::awaitable<base::result<void>> run(
        std::string_view name,
        std::function<void(storage::transaction&)> work,
        base::duration deadline
    ) override {
        std::function<void(storage::transaction&)> counted =
            [work = std::move(work), count = queries](storage::transaction& tx) {
                counting_transaction counting(tx, *count);
                work(counting);
            };
        return of_.run(name, std::move(counted), deadline);
    }
    base::awaitable<base::result<storage::rows>> query(
        storage::statement statement, std::vector<storage::param> params, base::duration deadline
    ) override {
        ++*queries;
        return of_.query(statement, std::move(params), deadline);
    }
    storage::database_options const& options() const override { return of_.options(); }
    void close() override {}

    std::shared_ptr<std::atomic<int>> queries = std::make_shared<std::atomic<int>>(0);

private:
    storage::database& of_;
};

} // namespace postrider::tests
