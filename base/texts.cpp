#include "base/texts.hpp"

#include <utility>

namespace postrider::base {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    auto at = from.empty() ? text.npos : text.find(from);
    if (at == text.npos) return;
    std::string replaced;
    replaced.reserve(text.size());
    std::size_t done = 0;
    for (; at != text.npos; at = text.find(from, done)) {
        replaced.append(text, done, at - done).append(to);
        done = at + from.size();
    }
    replaced.append(text, done);
    text = std::move(replaced);
}

} // namespace postrider::base
