// Any bytes: parse_json() refuses or accepts them within its limits, and a reader over what it
// accepted reads back what it says is there.
#include "base/json/json.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider::base;

void require(bool held) {
    if (!held) std::abort();
}

void read_all(json_reader const& reader, std::size_t depth) {
    require(depth <= json_limits{}.depth + 1);
    (void)reader.int64_or(0);
    (void)reader.number_or(0);
    (void)reader.boolean_or(false);
    (void)reader.string_or("");
    for (auto const& item : reader.items_or_none()) read_all(item, depth + 1);
    if (!reader.is_object()) return;
    for (auto const& member : reader.raw()->get_object())
        read_all(reader[std::string_view(member.key().data(), member.key().size())], depth + 1);
}

bool near(double a, double b) {
    return a == b || std::abs(a - b) <= 1e-12 * std::abs(a);
}

// Equal but for the last digits of a double, which Boost 1.81 neither reads nor writes exactly.
bool same(json::value const& a, json::value const& b) {
    if (a.is_double() && b.is_number()) return near(a.get_double(), b.to_number<double>());
    if (a.kind() != b.kind()) return false;
    if (auto left = a.if_array()) return std::ranges::equal(*left, b.get_array(), same);
    if (auto left = a.if_object()) {
        if (left->size() != b.get_object().size()) return false;
        return std::ranges::all_of(*left, [&](auto const& member) {
            auto right = b.get_object().if_contains(member.key());
            return right && same(member.value(), *right);
        });
    }
    return a == b;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto parsed = parse_json({reinterpret_cast<char const*>(data), size});
    if (!parsed) return 0;
    json_reader root{*parsed};
    read_all(root, 0);
    require(!root.failed());

    auto again = parse_json(json::serialize(*parsed));
    require(again.has_value() && same(*parsed, *again));

    (void)root["a"]["b"].int64();
    (void)root["c"].items();
    require(root.failed());
    return 0;
}
