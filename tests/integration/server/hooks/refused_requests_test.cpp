// What the log says of requests that prove nothing.
#include "base/log.hpp"
#include "server/hooks/hook_route.hpp"
#include "tests/integration/server/flow_server.hpp"
#include "tests/support/flow_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::tests::refused_requests_test {
namespace {

using testing::HasSubstr;

std::string hook(std::string const& name) {
    return std::string(
        flow_builder(name).trigger("In", "webhook", {{"path", name}, {"secret", "shop"}}).text()
    );
}

TEST(refused_requests, are_logged_for_each_flow) {
    test_database database;
    std::map<std::string, base::secret, std::less<>> secrets{{"shop", base::secret("s3cret")}};
    base::report_paces refusals;
    flow_server server(database);
    api::reply_waiters waiting(*server.postgres.db);
    server.serve(
        {hooks::hook_route({server.library, secrets, server.executions(), waiting, refusals})}
    );
    server.publish(hook("orders"));
    server.publish(hook("pushes"));
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    testing::internal::CaptureStderr();

    for (auto const* path : {"orders", "orders", "pushes", "pushes"})
        EXPECT_EQ(server.send("POST", std::string("/hooks/") + path, {}, "{}").status, 401);

    auto const log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(refusals.total(), 4u);
    EXPECT_EQ(std::ranges::count(log, '\n'), 2) << log;
    EXPECT_THAT(log, HasSubstr("hook.refused flow=orders"));
    EXPECT_THAT(log, HasSubstr("hook.refused flow=pushes"));
}

} // namespace
} // namespace postrider::tests::refused_requests_test
