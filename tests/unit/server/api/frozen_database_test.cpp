// A Postgres that takes what it is asked for and says nothing (stopped, or a disk that hangs).
#include "server/api/endpoint.hpp"
#include "server/api/problem.hpp"
#include "tests/support/failing_database.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace postrider::api::frozen_database_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr auto doubt = "may still be made";

planned touch(net::http_request const&) {
    return work([](storage::transaction&) { return net::http_response::empty(204); });
}

class no_reads final : public storage::batcher {
public:
    base::awaitable<base::result<void>> commit(std::shared_ptr<storage::unit>, base::duration)
        override {
        co_return base::errc::unavailable;
    }
    storage::batcher_counts counts() const override { return {}; }
    void close() override {}
};

struct frozen_database : testing::Test {
    net::http_response ask(std::string method, std::optional<database_use> use = {}) {
        endpoint asked{method, "/api/v1/things", in_a_transaction(touch)};
        asked.use = use;
        auto const route =
            to_route(asked, {api_databases(db, reports, watchers), authenticator, counts});
        net::http_request request;
        request.method = method;
        request.path = asked.pattern;
        request.headers = {{"Authorization", "Bearer owners"}};
        return io.run(route.handle(std::move(request)));
    }

    no_reads reads;
    tests::failing_database db{base::errc::timeout};
    tests::failing_database reports{base::errc::timeout};
    tests::failing_database watchers{base::errc::timeout};
    base::manual_clock clock;
    tests::loop io;
    authentication authenticator{
        {base::secret("owners"), token_mint(base::secret("key"))}, reads, db, clock};
    status_counts counts{};
};

TEST_F(frozen_database, fails_what_only_reads_after_a_few_seconds_and_leaves_no_doubt) {
    auto const answer = ask("GET");

    EXPECT_THAT(db.waits, ElementsAre(database_waits.read));
    EXPECT_LE(database_waits.read, 5s);
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.headers.find("Retry-After"), "1");
    EXPECT_THAT(answer.body, HasSubstr(R"("code":"unavailable")"));
    EXPECT_THAT(answer.body, HasSubstr("nothing was changed"));
    EXPECT_THAT(answer.body, Not(HasSubstr(doubt)));
}

TEST_F(frozen_database, is_waited_for_longer_by_a_change_that_may_be_done_all_the_same) {
    for (auto const* method : {"POST", "PUT", "DELETE"}) {
        db.waits.clear();

        auto const answer = ask(method);

        EXPECT_THAT(db.waits, ElementsAre(database_waits.change)) << method;
        EXPECT_EQ(answer.status, 503) << method;
        EXPECT_THAT(answer.body, HasSubstr(R"("code":"timeout")")) << method;
        EXPECT_THAT(answer.body, HasSubstr(doubt)) << method;
    }
}

TEST_F(frozen_database, is_asked_over_connections_by_purpose) {
    ask("GET", database_use::report);
    EXPECT_THAT(reports.waits, ElementsAre(database_waits.report));
    ask("GET", database_use::watch);
    EXPECT_THAT(watchers.waits, ElementsAre(database_waits.read));

    EXPECT_THAT(db.waits, IsEmpty()) << "who only looks waits for neither";
}

TEST(failed_report, changed_nothing) {
    auto const answer = problem_of(base::errc::timeout, database_use::report);

    EXPECT_THAT(answer.body, Not(HasSubstr(doubt)));
}

TEST(failed_read, changed_nothing_however_it_failed) {
    for (auto const code :
         {base::errc::timeout,
          base::errc::ambiguous,
          base::errc::unavailable,
          base::errc::conflict,
          base::errc::overloaded}) {
        auto const answer = problem_of(code, database_use::read);

        EXPECT_EQ(answer.status, 503) << base::to_string(code);
        EXPECT_THAT(answer.body, HasSubstr("nothing was changed")) << base::to_string(code);
    }
}

TEST(failed_change, may_have_been_done_where_its_end_is_not_known) {
    auto const late = problem_of(base::errc::timeout, database_use::change);
    auto const lost = problem_of(base::errc::ambiguous, database_use::change);

    EXPECT_THAT(late.body, HasSubstr(doubt));
    EXPECT_THAT(lost.body, HasSubstr("check the state before you repeat"));
}

TEST(database_waits, are_documented) {
    std::ifstream in(tests::source("docs/reference.md"));
    std::ostringstream text;
    text << in.rdbuf();
    auto const seconds = [](base::duration d) {
        return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(d).count()) + " s";
    };

    EXPECT_THAT(
        text.str(),
        HasSubstr(
            "| database answer, over the API | " + seconds(database_waits.change) + "; " +
            seconds(database_waits.read) +
            " until a read begins. A read whose statement takes longer than " +
            seconds(database_waits.quick) + " starts again"
        )
    );
}

} // namespace
} // namespace postrider::api::frozen_database_test
