#include "storage/client_environment.hpp"

#include <gmock/gmock.h>

namespace postrider::storage {
namespace {

using testing::Pair;
using testing::UnorderedElementsAre;

TEST(client_environment, says_what_the_url_says) {
    auto const uri = client_environment("postgresql://rider:s3cret@db.example:6432/mail");
    auto const words = client_environment("host=/run dbname=mail options='-c jit=off'");

    EXPECT_THAT(
        uri.value(),
        UnorderedElementsAre(
            Pair("PGHOST", "db.example"),
            Pair("PGPORT", "6432"),
            Pair("PGDATABASE", "mail"),
            Pair("PGUSER", "rider"),
            Pair("PGPASSWORD", "s3cret")
        )
    );
    EXPECT_EQ(words.value().at("PGOPTIONS"), "-c jit=off");
}

TEST(client_environment, does_not_repeat_what_it_cannot_read) {
    auto const malformed = client_environment("host=db password s3cret");

    EXPECT_EQ(malformed.error(), base::errc::invalid);
    EXPECT_EQ(malformed.error().detail.find("s3cret"), std::string::npos);
}

} // namespace
} // namespace postrider::storage
