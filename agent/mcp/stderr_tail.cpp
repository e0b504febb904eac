#include "agent/mcp/stderr_tail.hpp"

#include "base/texts.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::mcp {

void stderr_tail::add(std::string_view bytes) {
    total_ += bytes.size();
    if (skips_line_) {
        auto const end = bytes.find('\n');
        if (end == bytes.npos) return;
        bytes.remove_prefix(end + 1);
        skips_line_ = false;
    }
    kept_ += bytes;
    if (kept_.size() <= most_bytes) return;
    // Lines go whole: of a secret that is cut in two nothing could be masked.
    auto const end = kept_.find('\n', kept_.size() - most_bytes - 1);
    skips_line_ = end == kept_.npos;
    kept_.erase(0, skips_line_ ? kept_.size() : end + 1);
}

std::string stderr_tail::text() const {
    constexpr std::size_t shortest = 4;
    constexpr std::string_view mask = "******";
    auto result = kept_;
    for (auto const& secret : hidden_) {
        auto const& text = secret.reveal();
        if (text.size() >= shortest) base::replace_all(result, text, mask);
    }
    return base::as_utf8(std::move(result));
}

} // namespace postrider::agent::mcp
