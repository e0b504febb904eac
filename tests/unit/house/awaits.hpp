#pragma once
// What this compiler or its libraries get wrong around co_await, found in the text of a file. Pure.
//
// g++ 12 destroys values twice, or too early, that stand in braces or in a conditional expression beside what is
// awaited. Boost 1.81 makes `true` of a constant result<bool> that is returned as it is: of whether it has a value.
#include "tests/unit/house/house_rules.hpp"

#include <string>
#include <vector>

namespace postrider::tests {

// `code`: the file's lines without comments and texts.
void check_awaits(
    std::string const& file, std::string const& code, std::vector<violation>& violations
);

} // namespace postrider::tests
