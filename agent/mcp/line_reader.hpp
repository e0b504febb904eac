#pragma once
// Lines out of bytes that come in whatever pieces. Pure.
#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::mcp {

class line_reader {
public:
    explicit line_reader(std::size_t longest) : longest_(longest) {}

    // The lines that these bytes complete, without their ends ("\n" or "\r\n"); empty ones are left
    // out. too_large: a line beyond the limit; nothing is to be read after it.
    base::result<std::vector<std::string>> read(std::string_view bytes);

private:
    std::size_t longest_;
    std::string line_; // its end has not come
};

} // namespace postrider::agent::mcp
