// What is said of a database URL before anybody connects.
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>

namespace postrider::server::database_url_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

loaded_config from_environment(std::string const& url) {
    return from_file("", {{"DATABASE_URL", url}});
}

TEST(database_url, that_libpq_does_not_know_is_a_mistake_among_the_others) {
    auto const in_the_file = from_file(
        "[database]\nurl = \"postgresql://rider:hunter2@db/mail?foo=1\"\n[engine]\nslots = 0\n"
    );
    auto const of_others = from_environment("mysql://rider:hunter2@db/mail");
    auto const neither = from_environment("host=db password hunter2");

    EXPECT_EQ(in_the_file.problems.size(), 2u) << "the bound of the slots, too";
    EXPECT_THAT(
        in_the_file.problems,
        Contains(
            testing::EndsWith(":2: database.url has the parameter foo, which libpq does not know")
        )
    );
    EXPECT_THAT(
        of_others.problems,
        ElementsAre(testing::StartsWith("DATABASE_URL: database.url begins with mysql://; a URI"))
    );
    EXPECT_THAT(
        neither.problems,
        ElementsAre(testing::StartsWith("DATABASE_URL: database.url is not understood by libpq"))
    );
    for (auto const& loaded : {in_the_file, of_others, neither})
        EXPECT_THAT(loaded.problems, Not(Contains(HasSubstr("hunter2"))));
}

TEST(database_url, no_part_of_a_password_is_told_as_an_unknown_parameter) {
    for (std::string const url :
         {"postgresql://rider:pa/s?hunter2=ord@db", "host=db password='pa\\' hunter2=x"}) {
        auto const loaded = from_environment(url);

        EXPECT_EQ(loaded.problems.size(), 1u) << url;
        EXPECT_THAT(loaded.problems, Not(Contains(HasSubstr("hunter2")))) << url;
    }
}

TEST(database_url, understands_what_libpq_does) {
    for (std::string const url :
         {"postgresql://a,b/mail?target_session_attrs=any", "host=/run dbname=mail", "service=x"})
        EXPECT_THAT(from_environment(url).problems, IsEmpty()) << url;
}

} // namespace
} // namespace postrider::server::database_url_test
