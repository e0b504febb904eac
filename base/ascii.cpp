#include "base/ascii.hpp"

#include <boost/url/grammar/ci_string.hpp>

#include <algorithm>

namespace postrider::base {

namespace grammar = boost::urls::grammar;

std::string to_lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return grammar::to_lower(c); });
    return text;
}

bool equals_without_case(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() &&
           std::ranges::equal(a, b, {}, grammar::to_lower, grammar::to_lower);
}

} // namespace postrider::base
