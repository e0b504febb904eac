#pragma once
// The last lines that a child wrote to its standard error, with what must not be shown masked. Pure.
#include "base/secret.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::mcp {

class stderr_tail {
public:
    // Texts of fewer than four characters are not masked: they are in every word.
    explicit stderr_tail(std::vector<base::secret> hidden) : hidden_(std::move(hidden)) {}

    void add(std::string_view bytes);
    // UTF-8, of at most most_bytes before masking.
    std::string text() const;
    std::size_t total() const noexcept { return total_; } // bytes that were ever added

    static constexpr std::size_t most_bytes = 4u << 10;

private:
    std::vector<base::secret> hidden_;
    std::string kept_; // whole lines, but for the last
    std::size_t total_ = 0;
    bool skips_line_ = false; // its beginning is gone
};

} // namespace postrider::agent::mcp
