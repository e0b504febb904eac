#pragma once
// Values as every answer of ours writes them: what is not there is null, a duration is a number of
// milliseconds. Pure.
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace postrider::server {

inline double in_ms(std::chrono::microseconds d) {
    return std::chrono::duration<double, std::milli>(d).count();
}

inline boost::json::value ms_or_null(std::optional<std::chrono::microseconds> d) {
    return d ? boost::json::value(in_ms(*d)) : boost::json::value();
}

// A text that may be empty in earnest is an optional one, for or_null().
inline boost::json::value text_or_null(std::string const& text) {
    return text.empty() ? boost::json::value() : boost::json::value(text);
}

// US cents, of millionths of a dollar.
inline boost::json::value cents_or_null(std::optional<std::int64_t> micro) {
    return micro ? boost::json::value(static_cast<double>(*micro) / 10'000) : boost::json::value();
}

template<class T>
boost::json::value or_null(std::optional<T> const& value) {
    return value ? boost::json::value(*value) : boost::json::value();
}

} // namespace postrider::server
