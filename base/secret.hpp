#pragma once
// A value that must not be printed: no operator<<, no formatter, no conversion.
// reveal() is called only where the value leaves for its purpose; grep for it to audit.
#include <string>
#include <string_view>
#include <utility>

namespace postrider::base {

class secret {
public:
    secret() = default;
    explicit secret(std::string value) : value_(std::move(value)) {}

    std::string const& reveal() const noexcept { return value_; }
    bool empty() const noexcept { return value_.empty(); }

    // Takes the same time for every text of the same length, and tells nothing about where they
    // differ. An empty secret matches nothing, not even an empty text: unset lets nobody in.
    bool matches(std::string_view candidate) const noexcept;

    bool operator==(secret const& other) const noexcept { return matches(other.value_); }

private:
    std::string value_;
};

} // namespace postrider::base
