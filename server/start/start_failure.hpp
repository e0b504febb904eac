#pragma once
// Why a start fails.
#include "base/error.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

namespace postrider::server {

// The text is for people: what cannot be done, why, and what helps.
struct start_failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// "cannot …: <why>", with its code.
base::error cannot(std::string_view doing, base::error const& reason);

// Its own words, and the setting that names another address.
base::error cannot_listen(base::error const& reason);

template<class T>
T must(base::result<T> result, std::string_view doing) {
    if (!result) throw start_failure(cannot(doing, result.error()).detail);
    return std::move(*result);
}

} // namespace postrider::server
