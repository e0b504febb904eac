// Lists that take long, beside lists that do not.
#include "base/async.hpp"
#include "server/api/endpoint.hpp"
#include "storage/batcher.hpp"
#include "tests/support/held_lock.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::api::slow_reads_test {
namespace {

using namespace std::chrono_literals;

class no_batches final : public storage::batcher {
public:
    base::awaitable<base::result<void>> commit(std::shared_ptr<storage::unit>, base::duration)
        override {
        co_return base::errc::unavailable;
    }
    storage::batcher_counts counts() const override { return {}; }
    void close() override {}
};

base::awaitable<void> keep(base::awaitable<net::http_response> answering, int& status) {
    auto const answer = co_await std::move(answering);
    status = answer.status;
}

class slow_reads : public testing::Test {
protected:
    slow_reads() { database.execute("create table public.big (n int)"); }
    ~slow_reads() override {
        console->close();
        reports->close();
    }

    std::unique_ptr<storage::database> connect() {
        auto options = database.options();
        options.connections = 1;
        return storage::open_database(io.executor(), options);
    }

    // GET of an endpoint that reads this.
    base::awaitable<net::http_response> get(std::string_view name, std::string_view sql) {
        auto read = [name, sql](net::http_request const&) -> planned {
            return work([name, sql](storage::transaction& tx) {
                tx.query({name, sql});
                return net::http_response::empty(200);
            });
        };
        endpoint const asked{"GET", "/api/v1/things", in_a_transaction(read)};
        auto const route =
            to_route(asked, {api_databases(*console, *reports, *reports), authenticator, counts});
        net::http_request request;
        request.method = "GET";
        request.path = asked.pattern;
        request.headers = {{"Authorization", "Bearer owners"}};
        return route.handle(std::move(request));
    }

    tests::test_database database;
    tests::loop io;
    std::unique_ptr<storage::database> console = connect();
    std::unique_ptr<storage::database> reports = connect();
    no_batches reads;
    base::manual_clock clock;
    authentication authenticator{
        {base::secret("owners"), token_mint(base::secret("key"))}, reads, *console, clock};
    status_counts counts{};
};

// There is one connection for lists; without the way to the reports' the slow ones have it until
// they are through.
TEST_F(slow_reads, keep_no_other_list_from_being_answered) {
    tests::held_lock held{database.url(), "lock table public.big"};
    base::task_group tasks{io.executor()};
    int slow = 0;
    tasks.spawn("slow", keep(get("test.slow", "select n from public.big"), slow));

    EXPECT_EQ(io.run(get("test.quick", "select 1")).status, 200);

    EXPECT_EQ(slow, 0) << "it still reads";
    held.release();
    io.run(tasks.join());
    EXPECT_EQ(slow, 200);
}

} // namespace
} // namespace postrider::api::slow_reads_test
