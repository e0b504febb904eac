#include "net/base64.hpp"
#include "net/credential.hpp"

#include <gtest/gtest.h>

namespace postrider::net::credential_test {
namespace {

credential of_kind(credential_kind kind, std::string name = "") {
    credential key;
    key.kind = kind;
    key.name = std::move(name);
    key.user = "ann";
    key.value = base::secret("k=y&secret");
    key.hosts = {"api.example.org", "10.0.0.7:8080"};
    return key;
}

TEST(credential, is_sent_to_its_hosts_alone_and_never_in_the_clear_over_the_net) {
    auto const key = of_kind(credential_kind::bearer);

    EXPECT_TRUE(may_be_sent(key, "https://api.example.org"));
    EXPECT_TRUE(may_be_sent(key, "HTTPS://API.Example.org:443/path?x=1"));
    EXPECT_FALSE(may_be_sent(key, "http://api.example.org"));
    EXPECT_TRUE(only_lacks_encryption(key, "http://api.example.org/"));
    EXPECT_FALSE(may_be_sent(key, "https://example.org"));
    EXPECT_FALSE(may_be_sent(key, "https://api.example.org.evil.net"));
    EXPECT_FALSE(only_lacks_encryption(key, "http://example.org"));
    EXPECT_TRUE(may_be_sent(key, "http://10.0.0.7:8080"));
    EXPECT_FALSE(may_be_sent(key, "http://10.0.0.7"));
    EXPECT_TRUE(only_lacks_encryption(key, "http://%61pi.example.org/"));
    auto far = key;
    far.hosts = {"8.8.8.8"};
    EXPECT_FALSE(may_be_sent(far, "http://8.8.8.8/"));
    EXPECT_TRUE(may_be_sent(far, "https://8.8.8.8/"));
    auto nowhere = key;
    nowhere.hosts.clear();
    EXPECT_FALSE(may_be_sent(nowhere, "https://api.example.org"));
}

TEST(credential, takes_the_place_of_a_header_or_parameter_of_its_name) {
    header_list headers{{"authorization", "Bearer mine"}, {"Accept", "*/*"}};
    std::string target = "/path?a=1&key=mine&b=2";

    prove(of_kind(credential_kind::bearer), headers, target);
    EXPECT_EQ(headers.find("Authorization"), "Bearer k=y&secret");
    EXPECT_EQ(headers.count("Authorization"), 1u);
    EXPECT_EQ(headers.find("Accept"), "*/*");
    prove(of_kind(credential_kind::basic), headers, target);
    EXPECT_EQ(headers.find("Authorization"), "Basic " + to_base64("ann:k=y&secret"));
    prove(of_kind(credential_kind::header, "X-Key"), headers, target);
    EXPECT_EQ(headers.find("X-Key"), "k=y&secret");
    prove(of_kind(credential_kind::query, "key"), headers, target);
    EXPECT_EQ(target, "/path?a=1&b=2&key=k%3Dy%26secret");
    std::string bare = "/path";
    prove(of_kind(credential_kind::query, "key"), headers, bare);
    EXPECT_EQ(bare, "/path?key=k%3Dy%26secret");
}

TEST(credential, takes_the_place_of_a_name_that_is_written_in_another_way) {
    header_list headers{{"x_KEY", "mine"}};
    std::string target = "/path?k%65y=mine&keys=1";

    prove(of_kind(credential_kind::header, "X-Key"), headers, target);
    prove(of_kind(credential_kind::query, "key"), headers, target);

    EXPECT_EQ(headers.count("x_KEY"), 0u);
    EXPECT_EQ(target, "/path?keys=1&key=k%3Dy%26secret");
}

TEST(credential, is_hidden_in_what_a_server_repeats) {
    auto const basic = of_kind(credential_kind::basic);
    auto const query = of_kind(credential_kind::query, "key");

    EXPECT_EQ(without_secret("a k=y&secret b k=y&secret", basic), "a *** b ***");
    EXPECT_EQ(without_secret("Basic " + to_base64("ann:k=y&secret"), basic), "Basic ***");
    EXPECT_EQ(without_secret("https://x/?key=k%3Dy%26secret", query), "https://x/?key=***");
    EXPECT_EQ(without_secret("https://x/?key=k%3dy%26secret", basic), "https://x/?key=***");
    auto slashed = query;
    slashed.value = base::secret("ab/cd/ef");
    EXPECT_EQ(without_secret(R"({"key": "ab\/cd\/ef"})", slashed), R"({"key": "***"})");
}

} // namespace
} // namespace postrider::net::credential_test
