#include "base/hex.hpp"

#include <boost/algorithm/hex.hpp>

#include <iterator>

namespace postrider::base {

std::string to_hex(std::span<std::byte const> bytes) {
    return to_hex({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
}

std::string to_hex(std::string_view bytes) {
    std::string digits;
    digits.reserve(2 * bytes.size());
    boost::algorithm::hex_lower(bytes.begin(), bytes.end(), std::back_inserter(digits));
    return digits;
}

} // namespace postrider::base
