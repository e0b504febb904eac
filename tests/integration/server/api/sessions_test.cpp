// Named sessions, forgotten.
#include "tests/integration/server/api/api_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::sessions_test {
namespace {

// covers: S3.22
TEST(api_sessions, are_forgotten_one_at_a_time) {
    api_world world;
    world.database.execute(
        "insert into postrider.session_message (session, job_id, position, role, content) values "
        "('a/b', 41, 0, 'user', 'I am Ann'), ('a/b', 41, 1, 'assistant', 'Hello'), "
        "('c', 41, 2, 'user', 'I am Bob')"
    );

    auto const forgotten = world.ask("DELETE", "/api/v1/sessions/a%2Fb");
    auto const again = world.ask("DELETE", "/api/v1/sessions/a%2Fb");
    auto const impossible = world.ask("DELETE", "/api/v1/sessions/a%00");

    EXPECT_EQ(forgotten.status, 200);
    EXPECT_EQ(forgotten.body.at("messages").as_int64(), 2);
    EXPECT_EQ(again.status, 404);
    EXPECT_EQ(impossible.status, 404);
    EXPECT_EQ(world.database.value("select session from postrider.session_message"), "c");
}

} // namespace
} // namespace postrider::tests::sessions_test
