#include "base/secret.hpp"

namespace postrider::base {

bool secret::matches(std::string_view candidate) const noexcept {
    // volatile keeps the compiler from leaving the loop at the first difference.
    volatile unsigned char difference = candidate.size() != value_.size() || value_.empty() ? 1 : 0;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
        auto own = value_.empty() ? '\0' : value_[i % value_.size()];
        difference =
            static_cast<unsigned char>(difference | static_cast<unsigned char>(candidate[i] ^ own));
    }
    return difference == 0;
}

} // namespace postrider::base
