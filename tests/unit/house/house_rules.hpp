#pragma once
// The rules of the house that a compiler does not know, checked over the source tree: who may
// include what, who may read the time and the environment, how long a file may be. CONTRIBUTING.md
// explains them. Comments are not code: only the rule about words looks at them.
#include <filesystem>
#include <string>
#include <vector>

namespace postrider::tests {

struct violation {
    std::string file; // relative to the root
    std::size_t line = 0;
    std::string rule;

    bool operator==(violation const&) const = default;
};

// "net/a.cpp:3: includes a higher room"
std::string to_string(violation const& v);

// Every violation in the tree, ordered by file and line. Throws filesystem_error when the root does
// not exist.
std::vector<violation> check_house(std::filesystem::path const& root);

} // namespace postrider::tests
