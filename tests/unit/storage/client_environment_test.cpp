#include "storage/client_environment.hpp"

#include <gmock/gmock.h>

namespace postrider::storage::client_environment_test {
namespace {

using testing::Pair;
using testing::UnorderedElementsAre;

TEST(client_environment, says_what_the_url_says) {
    auto const uri = client_environment("postgresql://rider:s3cret@db.example:6432/mail");
    auto const words = client_environment("host=/run dbname=mail options='-c jit=off'");

    EXPECT_THAT(
        uri.value().variables,
        UnorderedElementsAre(
            Pair("PGHOST", "db.example"),
            Pair("PGPORT", "6432"),
            Pair("PGDATABASE", "mail"),
            Pair("PGUSER", "rider"),
            Pair("PGPASSWORD", "s3cret")
        )
    );
    EXPECT_EQ(words.value().variables.at("PGOPTIONS"), "-c jit=off");
    EXPECT_EQ(words.value().words, "");
}

TEST(client_environment, says_in_words_what_has_no_variable) {
    auto const url = client_environment("postgresql://db/mail?keepalives_idle=30&keepalives=1");
    auto const secret = client_environment("host=db sslpassword=s3cret");

    EXPECT_EQ(url.value().words, "keepalives='1' keepalives_idle='30'");
    EXPECT_EQ(url.value().variables.at("PGHOST"), "db");
    EXPECT_EQ(secret.error(), base::errc::invalid);
    EXPECT_EQ(secret.error().detail.find("s3cret"), std::string::npos);
}

TEST(url_mistakes, name_a_parameter_that_libpq_does_not_know) {
    EXPECT_EQ(mistake_in("postgresql://db/mail?foo=1").value().unknown, "foo");
    EXPECT_EQ(mistake_in("host=db foo=1").value().unknown, "foo");
    EXPECT_EQ(mistake_in("mysql://db/mail").value().unknown, "");
    EXPECT_FALSE(mistake_in("postgresql://a,b/mail?connect_timeout=3").has_value());
    EXPECT_FALSE(mistake_in("").has_value());
}

TEST(client_environment, does_not_repeat_what_it_cannot_read) {
    auto const malformed = client_environment("host=db password s3cret");

    EXPECT_EQ(malformed.error(), base::errc::invalid);
    EXPECT_EQ(malformed.error().detail.find("s3cret"), std::string::npos);
}

} // namespace
} // namespace postrider::storage::client_environment_test
