#include "storage/pg/conninfo.hpp"

#include <gmock/gmock.h>

namespace postrider::storage::pg::conninfo_test {
namespace {

using testing::HasSubstr;
using testing::Not;

database_options with(std::string url) {
    database_options options;
    options.url = std::move(url);
    return options;
}

TEST(conninfo, understands_uris_and_keywords) {
    EXPECT_THAT(
        conninfo(with("postgresql://rider@db.example:6432/mail"), purpose::general),
        testing::AllOf(
            HasSubstr("host='db.example'"), HasSubstr("port='6432'"), HasSubstr("dbname='mail'")
        )
    );
    EXPECT_THAT(
        conninfo(with("host=/run dbname=mail"), purpose::general), HasSubstr("host='/run'")
    );
}

TEST(conninfo, leaves_what_the_operator_chose) {
    auto const text = conninfo(with("host=a connect_timeout=77"), purpose::general);

    EXPECT_THAT(text, HasSubstr("connect_timeout='77'"));
}

TEST(conninfo, keeps_the_operators_session_settings) {
    auto const text = conninfo(with("host=a options='-c work_mem=9MB'"), purpose::general);

    EXPECT_THAT(text, HasSubstr("-c work_mem=9MB"));
    EXPECT_THAT(text, HasSubstr("-c timezone=UTC"));
}

TEST(conninfo, bounds_the_wait_for_a_silent_server) {
    auto options = with("host=a");
    options.connect_timeout = std::chrono::seconds{5};
    options.statement_timeout = std::chrono::seconds{30};

    auto const text = conninfo(options, purpose::general);

    EXPECT_THAT(text, HasSubstr("connect_timeout='5'"));
    EXPECT_THAT(text, HasSubstr("tcp_user_timeout='35000'"));
    EXPECT_THAT(text, HasSubstr("-c statement_timeout=30000"));
}

TEST(conninfo, escapes_values) {
    EXPECT_THAT(
        conninfo(with(R"(host=a password='it\'s \\ secret')"), purpose::general),
        HasSubstr(R"(password='it\'s \\ secret')")
    );
}

TEST(conninfo, asks_for_the_primary_of_several_hosts) {
    EXPECT_THAT(
        conninfo(with("postgresql://a,b/mail"), purpose::general),
        HasSubstr("target_session_attrs='read-write'")
    );
    EXPECT_THAT(
        conninfo(with("postgresql://a,b/mail?target_session_attrs=any"), purpose::general),
        HasSubstr("target_session_attrs='any'")
    );
    EXPECT_THAT(
        conninfo(with("postgresql://a/mail"), purpose::general), Not(HasSubstr("read-write"))
    );
}

TEST(conninfo, prefers_indexes_and_plans_batches_once) {
    for (auto purpose : {purpose::general, purpose::batches})
        EXPECT_THAT(conninfo(with("host=a"), purpose), HasSubstr("enable_seqscan=off"));

    for (auto const* of_batches : {"enable_bitmapscan=off", "plan_cache_mode=force_generic_plan"}) {
        EXPECT_THAT(conninfo(with("host=a"), purpose::batches), HasSubstr(of_batches));
        EXPECT_THAT(conninfo(with("host=a"), purpose::general), Not(HasSubstr(of_batches)));
    }
}

TEST(conninfo, sends_no_session_settings_through_a_transaction_pool) {
    auto options = with("host=a");
    options.prepared = false;
    options.audit_key = base::secret("3636");

    EXPECT_THAT(conninfo(options, purpose::batches), Not(HasSubstr("options=")));
    EXPECT_THAT(local_settings(options, purpose::batches), Not(HasSubstr("3636")))
        << "others see the text of statements";
    EXPECT_THAT(
        local_settings(options, purpose::batches), HasSubstr("; set local enable_seqscan = 'off'")
    );
}

TEST(conninfo, does_not_repeat_a_url_it_does_not_understand) {
    try {
        conninfo(with("postgresql://rider:hunter2@[broken"), purpose::general);
        FAIL() << "was accepted";
    } catch (database_error const& e) {
        EXPECT_THAT(e.what(), Not(HasSubstr("hunter2")));
    }
}

} // namespace
} // namespace postrider::storage::pg::conninfo_test
