// Any text: calculate() ends with a finite number or an error, and a number it prints reads back as
// itself.
#include "agent/expression/arithmetic.hpp"
#include "agent/expression/calculation.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

void require(bool held) {
    if (!held) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace postrider::agent;
    using expressions::format_number;
    auto value = calculate(std::string_view(reinterpret_cast<char const*>(data), size));
    if (!value) {
        require(!value.error().detail.empty());
        return 0;
    }
    require(std::isfinite(*value));
    auto again = calculate(format_number(*value));
    require(again && std::abs(*again - *value) <= 1e-14 * std::abs(*value));
    return 0;
}
