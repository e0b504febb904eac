#pragma once
// What people who look at executions get to see of the data: not too much of it, and no secrets.
// Pure.
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string_view>

namespace postrider::agent::flow {

inline constexpr std::size_t shown_bytes = 16u << 10; // of one value, about
inline constexpr std::string_view mask = "•••";

// True of "password", "apiKey", "X-Auth-Token", …, but not of "max_tokens".
bool looks_secret(std::string_view member) noexcept;

// The value with the members masked whose names look secret, in objects and in lists of {"name",
// "value"}. What is beyond the limit is left out; a text in its place says how much that was.
boost::json::value redacted(boost::json::value const& value, std::size_t bytes = shown_bytes);

// A node's parameters as redacted() has them, and those masked that its type's schema calls "x-secret".
boost::json::object redacted_parameters(
    boost::json::object const& parameters, boost::json::object const& schema
);

} // namespace postrider::agent::flow
