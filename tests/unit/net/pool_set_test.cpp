// Which origins a client keeps in memory.
#include "net/pool_set.hpp"
#include "tests/unit/net/client_fixture.hpp"

namespace postrider::net::pool_set_test {
namespace {

using namespace std::chrono_literals;

class pool_set_test : public tests::client {
protected:
    pool& find(std::string const& origin) { return *pools.find(origin).value(); }
    base::result<pool::lease> acquire(pool& from) {
        return io.run(from.acquire(pool::kind::any, 5s, base::system_clock().steady() + 5s));
    }
    static http_client_options nothing_kept() {
        http_client_options options;
        options.keep_alive = 0s;
        return options;
    }

    http_client_options options = nothing_kept();
    tls_trust trust{io.executor(), ""};
    resolver names{io.executor(), options.look_up};
    pool_set pools{io.executor(), options, trust, names};
};

TEST_F(pool_set_test, forgets_origins_that_nobody_uses) {
    for (int i = 0; i < 100; ++i) find("https://" + std::to_string(i) + ".example");
    EXPECT_EQ(pools.size(), 100u);

    pools.sweep();

    EXPECT_EQ(pools.size(), 0u);
    EXPECT_FALSE(pools.find("ftp://x"));
    EXPECT_EQ(pools.size(), 0u);
}

TEST_F(pool_set_test, keeps_an_origin_while_a_connection_is_open) {
    serve({{}});
    auto& used = find(server->origin());
    {
        auto lease = acquire(used);
        ASSERT_TRUE(lease) << to_string(lease.error());
        pools.sweep();
        EXPECT_EQ(pools.size(), 1u);
        EXPECT_EQ(&find(server->origin()), &used);
        lease->give_back();
    }

    pools.sweep(); // it is idle, and nothing idle is kept

    EXPECT_EQ(pools.size(), 0u);
}

} // namespace
} // namespace postrider::net::pool_set_test
