#include "server/app/app.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace postrider::server::serve_test {
namespace {

// Made by hand, so without the agents that every file of settings has: they are missed once all has started.
TEST(serve, ends_when_something_throws_once_it_has_started) {
    tests::test_database const database{tests::test_database::content::empty};
    config settings;
    settings.database_url = database.url();
    settings.admin_token = base::secret("0123456789abcdef0123456789abcdef");
    settings.listen = "127.0.0.1:0";
    run_options options;
    options.demo = true;
    std::ostringstream out;

    EXPECT_THROW((void)serve(settings, options, out), std::out_of_range);
}

} // namespace
} // namespace postrider::server::serve_test
