#pragma once
// A transaction that returns a value.
#include "storage/database.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace postrider::storage {

// As database::run, with what the work returned. Each try returns a value of its own, which no thread writes to
// any more when it is here; of a call that was cut off, nobody sees it.
template<class Work, class Value = std::invoke_result_t<Work&, transaction&>>
base::awaitable<base::result<Value>> transact(
    database& db, std::string_view name, Work work, base::duration deadline
) {
    auto const value = std::make_shared<std::optional<Value>>();
    std::function<void(transaction&)> keep = [value, work = std::move(work)](transaction& tx) {
        value->emplace(work(tx));
    };
    auto const done = co_await db.run(name, std::move(keep), deadline);
    if (!done) co_return done.error();
    co_return std::move(**value);
}

} // namespace postrider::storage
