#include "agent/mcp/line_reader.hpp"

#include <utility>

namespace postrider::agent::mcp {

base::result<std::vector<std::string>> line_reader::read(std::string_view bytes) {
    std::vector<std::string> lines;
    while (!bytes.empty()) {
        auto const end = bytes.find('\n');
        auto const part = bytes.substr(0, end);
        if (part.size() > longest_ - line_.size())
            return base::error(base::errc::too_large, "a line is too long");
        line_ += part;
        if (end == bytes.npos) break;
        bytes.remove_prefix(end + 1);
        if (line_.ends_with('\r')) line_.pop_back();
        if (!line_.empty()) lines.push_back(std::exchange(line_, {}));
    }
    return lines;
}

} // namespace postrider::agent::mcp
