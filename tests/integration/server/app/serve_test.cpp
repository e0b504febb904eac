#include "server/app/app.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <ios>
#include <ostream>
#include <streambuf>

namespace postrider::server::serve_test {
namespace {

struct full_disk : std::streambuf {};

// What cannot say that it is there stops whole, and says why.
TEST(serve, ends_when_something_throws_once_it_has_started) {
    tests::test_database const database{tests::test_database::content::empty};
    config settings;
    settings.database_url = database.url();
    settings.admin_token = base::secret("0123456789abcdef0123456789abcdef");
    settings.listen = "127.0.0.1:0";
    full_disk nothing;
    std::ostream out(&nothing);
    out.exceptions(std::ios::badbit);

    run_options options;
    options.demo = true;

    EXPECT_THROW((void)serve(settings, options, out), std::ios_base::failure);
}

} // namespace
} // namespace postrider::server::serve_test
