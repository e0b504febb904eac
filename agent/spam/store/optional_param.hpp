#pragma once
// A value that may be absent, as a statement's parameter: absent is null. Pure.
#include "storage/database.hpp"

#include <optional>

namespace postrider::agent::spam {

template<class T>
storage::param or_null(std::optional<T> const& value) {
    return value ? storage::param(*value) : storage::param(std::nullopt);
}

} // namespace postrider::agent::spam
