#include "base/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace postrider::base::random_test {
namespace {

// Every byte the same.
class fixed_random final : public random_source {
public:
    explicit fixed_random(unsigned char value) : value_{value} {}

    void fill(std::span<std::byte> bytes) override {
        for (auto& b : bytes) b = std::byte{value_};
    }

private:
    unsigned char value_;
};

TEST(random, uniform_stays_below_one) {
    fixed_random lowest{0x00};
    fixed_random highest{0xff};
    EXPECT_EQ(uniform(lowest), 0.0);
    EXPECT_LT(uniform(highest), 1.0);
    EXPECT_GT(uniform(highest), 0.999'999);
}

TEST(random, system_random_fills_every_byte) {
    // The chance of a byte that stays zero in 16 draws is 2^-128.
    std::array<bool, 257> touched{};
    for (int draw = 0; draw < 16; ++draw) {
        std::array<std::byte, 257> bytes{};
        system_random().fill(bytes);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            touched[i] = touched[i] || bytes[i] != std::byte{0};
    }
    for (bool was_written : touched) EXPECT_TRUE(was_written);
    system_random().fill({});
}

TEST(random, nanoid_has_21_characters_of_its_alphabet) {
    for (int i = 0; i < 200; ++i)
        EXPECT_THAT(nanoid(system_random()), testing::MatchesRegex("[A-Za-z0-9_-]+"));
    EXPECT_EQ(nanoid(system_random()).size(), 21u);
}

TEST(random, nanoid_uses_its_whole_alphabet) {
    std::set<char> seen;
    for (int value = 0; value < 256; ++value) {
        fixed_random random{static_cast<unsigned char>(value)};
        seen.insert(nanoid(random).front());
    }
    EXPECT_EQ(seen.size(), 64u);
}

TEST(random, nanoids_differ) {
    std::set<std::string> seen;
    for (int i = 0; i < 10'000; ++i) seen.insert(nanoid(system_random()));
    EXPECT_EQ(seen.size(), 10'000u);
}

TEST(random, uuid4_has_its_version_and_variant) {
    constexpr auto form = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
    for (int i = 0; i < 200; ++i) EXPECT_THAT(uuid4(system_random()), testing::MatchesRegex(form));
    fixed_random zeros{0x00};
    EXPECT_EQ(uuid4(zeros), "00000000-0000-4000-8000-000000000000");
    fixed_random ones{0xff};
    EXPECT_EQ(uuid4(ones), "ffffffff-ffff-4fff-bfff-ffffffffffff");
}

TEST(random, hex_token_has_two_digits_per_byte) {
    fixed_random random{0x0f};
    EXPECT_EQ(hex_token(random, 3), "0f0f0f");
    EXPECT_EQ(hex_token(random, 0), "");
}

} // namespace
} // namespace postrider::base::random_test
