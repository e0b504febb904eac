// How long a recording is, by its bytes.
#include "agent/models/recording_length.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace postrider::agent::recording_length_test {
namespace {

using namespace std::chrono_literals;

// A page of Ogg with one packet.
std::string page(std::uint64_t position, std::string const& packet) {
    std::string bytes("OggS\0\0", 6);
    for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(position >> (8 * byte) & 0xff);
    bytes += std::string(12, '\0');
    bytes += '\1';
    bytes += static_cast<char>(packet.size());
    return bytes + packet;
}

// Telegram's clients skip 312 samples before the sound.
std::string opus(std::uint64_t samples) {
    std::string const head("OpusHead\1\1\x38\1\x80\xbb\0\0\0\0\0", 19);
    bool const is_open = samples == ~std::uint64_t{0};
    return page(0, head) + page(48'000 + 312, "sound") +
           page(is_open ? samples : samples + 312, "sound");
}

TEST(recording_length, is_that_of_the_last_page) {
    EXPECT_EQ(recording_length(opus(90 * 48'000)), 90s);
    EXPECT_EQ(recording_length(opus(90 * 48'000 + 1)), 91s) << "a begun second counts";
    EXPECT_EQ(recording_length(opus(0)), 1s);
}

TEST(recording_length, of_a_page_without_an_end_is_that_of_the_page_before) {
    EXPECT_EQ(recording_length(opus(~std::uint64_t{0})), 1s);
    EXPECT_EQ(recording_length(opus(90 * 48'000) + "OggS"), 90s) << "the rest is cut off";
}

TEST(recording_length, is_not_read_of_anything_else) {
    EXPECT_FALSE(recording_length(""));
    EXPECT_FALSE(recording_length("OggS"));
    EXPECT_FALSE(recording_length(page(0, "OpusHead")));
    EXPECT_FALSE(recording_length("ID3 and sound"));
    EXPECT_FALSE(recording_length(page(0, "vorbis") + page(48'000, "sound")));
    EXPECT_FALSE(recording_length(opus(std::uint64_t{1} << 60))) << "nobody speaks so long";
}

} // namespace
} // namespace postrider::agent::recording_length_test
