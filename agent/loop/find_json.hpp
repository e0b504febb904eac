#pragma once
// The JSON value in what a model said: all of it, or what stands in a fence or behind a sentence.
// Pure.
#include <boost/json/value.hpp>

#include <functional>
#include <optional>
#include <string_view>

namespace postrider::agent {

// The text itself where it is JSON. Else the first object or array within it that is `preferred`;
// without one the longest. Nothing: there is none. A long text is looked through for a bounded time.
std::optional<boost::json::value> find_json(
    std::string_view text, std::function<bool(boost::json::value const&)> const& is_preferred
);

} // namespace postrider::agent
