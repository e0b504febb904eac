#pragma once
// A database that only remembers which statements it was asked for.
#include "storage/database.hpp"

#include <string>
#include <vector>

namespace postrider::telegram {

class recording_database final : public storage::database {
public:
    std::vector<std::string> asked; // names of statements
    std::vector<std::vector<storage::param>> with;
    storage::rows answer;                                 // to every query
    base::result<void> outcome = base::errc::unavailable; // of run(), which does no work

    base::awaitable<base::result<void>> run(
        std::string_view name, std::function<void(storage::transaction&)>, base::duration
    ) override {
        asked.emplace_back(name);
        co_return outcome;
    }
    base::awaitable<base::result<storage::rows>> query(
        storage::statement statement, std::vector<storage::param> params, base::duration
    ) override {
        asked.emplace_back(statement.name);
        with.push_back(std::move(params));
        co_return answer;
    }
    storage::database_options const& options() const override { return options_; }
    void close() override {}

private:
    storage::database_options options_;
};

} // namespace postrider::telegram
