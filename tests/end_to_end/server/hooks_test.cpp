// A webhook of the real binary, which dies between its commit and its answer.
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/flow_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace postrider::tests::hooks_test {
namespace {

using namespace std::chrono_literals;

boost::json::object const order_hook{{"path", "orders/new"}, {"secret", "shop"}};
auto const orders = flow_builder("orders").trigger("In", "webhook", order_hook).text();

answer post_order(product const& to) {
    return http_exchange(
        to.port(),
        "POST /hooks/orders/new HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nConnection: close\r\n"
        "Authorization: Bearer s3cret\r\nIdempotency-Key: order-7\r\n\r\nhi"
    );
}

TEST(webhook, starts_one_execution_though_the_server_dies_before_it_answers) {
    scene s{{{"POSTRIDER_SECRET_SHOP", "s3cret"}}};
    s.product().start({{"POSTRIDER_FAULTS", "hook.committed:kill"}});
    auto const file = s.product().folder() / "orders.json";
    std::ofstream(file) << orders;
    auto const imported = s.product().run({"flows", "import", file.string(), "--publish"});
    ASSERT_EQ(imported.code, 0) << imported.out;
    ASSERT_TRUE(eventually([&] { return post_order(s.product()).status != 404; }));
    ASSERT_TRUE(s.product().wait_for_exit(30s)) << s.product().log();
    s.product().start();

    auto const again = post_order(s.product());

    EXPECT_EQ(again.status, 202) << again.body;
    EXPECT_TRUE(
        s.comes_true("select count(*) = 1 and bool_and(state = 'completed') from postrider.job")
    );
    EXPECT_THAT(s.product().log(), testing::Not(testing::HasSubstr("s3cret")));
}

} // namespace
} // namespace postrider::tests::hooks_test
