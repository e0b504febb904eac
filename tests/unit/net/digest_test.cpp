#include "net/digest.hpp"

#include <gtest/gtest.h>

namespace postrider::net::digest_test {
namespace {

TEST(digest, is_sha_256) {
    EXPECT_EQ(
        sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

// RFC 4231, test case 2.
TEST(digest, signs_with_hmac_sha_256) {
    EXPECT_EQ(
        hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );
}

} // namespace
} // namespace postrider::net::digest_test
