// What a start finds and leaves in the database before anything runs.
#include "base/random.hpp"
#include "server/app/edge.hpp"
#include "server/start/start_up.hpp"
#include "storage/private_cluster.hpp"
#include "tests/support/cutting_proxy.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace postrider::server::start_up_test {
namespace {

using testing::HasSubstr;

class start : public testing::Test {
protected:
    prepared prepare_for(
        std::vector<std::string> const& bots, server::mode mode = server::mode::polling
    ) {
        settings.database_url = url;
        settings.admin_token = base::secret("0123456789abcdef0123456789abcdef");
        return prepare(settings, bots, mode, base::system_random());
    }

    // The text for people; "" when it does start.
    std::string refusal(std::vector<std::string> const& bots, server::mode mode) {
        try {
            prepare_for(bots, mode);
        } catch (start_failure const& e) {
            return e.what();
        }
        return {};
    }

    tests::test_database database{tests::test_database::content::empty};
    std::string url = database.url();
    config settings;
};

TEST_F(start, brings_schema_flows_bots_and_secrets) {
    settings.timezone = "Europe/Berlin";

    auto const ready = prepare_for({"main", "sales"});

    EXPECT_EQ(ready.bots.size(), 2u);
    EXPECT_TRUE(ready.bots.contains("sales"));
    EXPECT_FALSE(ready.token_key.empty());
    EXPECT_EQ(
        database.value("select string_agg(name, ' ' order by name) from postrider.flow"),
        "assistant claudir todo"
    );
    EXPECT_EQ(
        database.value("select count(*) from postrider.audit where subject like 'flow:%'"), "0"
    ) << "no operator did any of it";
    EXPECT_EQ(database.value("select timezone from postrider.calendar"), "Europe/Berlin");
}

// Also when it is configured again as it was before, and as long as nobody has published another one.
// covers: S4.13
// A model that was configured since, or a job that failed: the next start goes on with it.
TEST_F(start, makes_vectors_that_are_missing) {
    settings.embeddings.emplace();
    settings.embeddings->model = "small";
    settings.embeddings->dimension = 3;
    auto const jobs = [this] {
        return database.value(
            "select count(*) || ' ' || coalesce(bool_and((input ->> 'again')::boolean)::text, '') "
            "from postrider.job where kind = 'memory.embed'"
        );
    };
    if (!prepare_for({"main"}).has_vectors) GTEST_SKIP() << "Postgres has no pgvector";
    EXPECT_EQ(jobs(), "0 ") << "there is no memory";
    database.execute(
        "insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, "
        "made_by) values (7, 0, 1, 'note', 'The dog is called Rex.', 'en', 'dog', 'a')"
    );

    prepare_for({"main"});
    prepare_for({"main"});

    EXPECT_EQ(jobs(), "1 true");
}

TEST_F(start, publishes_the_group_bot_as_it_is_configured_now) {
    auto const groups = [this] {
        return database.value(
            "select coalesce((select n.node ->> 'disabled' from json_array_elements(v.document -> "
            "'nodes') n (node) "
            "where n.node ->> 'type' = 'telegram.group'), 'on') || ' ' || v.version "
            "from postrider.flow f join postrider.flow_version v on (v.flow_id, v.version) = "
            "(f.flow_id, f.published_version) "
            "where f.name = 'claudir'"
        );
    };
    prepare_for({"main"});
    EXPECT_EQ(groups(), "true 1");
    settings.chatbot.is_enabled = true;
    settings.chatbot.groups = {chat_id{-100}};
    prepare_for({"main"});
    EXPECT_EQ(groups(), "on 2");
    prepare_for({"main"});
    EXPECT_EQ(groups(), "on 2") << "nothing has changed";

    settings.chatbot = {};
    prepare_for({"main"});

    EXPECT_EQ(groups(), "true 3");
}

TEST_F(start, knows_whom_the_owners_token_acts_as) {
    settings.bots.resize(1);
    settings.bots.front().allowlist.owners = {user_id{7}};

    EXPECT_EQ(prepare_for({"main"}).person, user_id{7});
}

TEST_F(start, lets_the_owners_token_act_as_the_person_of_a_demo) {
    auto const ready = prepare_for({std::string(demo_bot)}, mode::demo);

    EXPECT_EQ(ready.person, user_id{demo_person});
    EXPECT_EQ(secrets_of(ready, settings).person, user_id{demo_person});
}

TEST_F(start, opens_two_connections_on_a_schema_that_is_up_to_date) {
    prepare_for({"main"});
    tests::cutting_proxy proxy{database.url()};
    url = proxy.url();
    proxy.seen("application_name");

    prepare_for({"main"});

    EXPECT_EQ(proxy.seen("application_name"), 2) << "one looks at the schema, one at the rows";
}

TEST_F(start, a_demo_leaves_a_database_of_other_bots_as_it_is) {
    tests::test_database served;
    served.execute("insert into postrider.bot (name) values ('main')");
    url = served.url();

    EXPECT_THAT(refusal({"demo"}, server::mode::demo), HasSubstr("it has the bot main"));
    EXPECT_EQ(served.value("select count(*) from postrider.flow"), "0");
    EXPECT_EQ(served.value("select string_agg(name, ' ') from postrider.bot"), "main");
}

TEST_F(start, a_database_that_does_not_fit_is_told_with_the_way_to_another) {
    database.execute("create schema postrider; create table postrider.migration (number int)");

    auto const told = refusal({"main"}, server::mode::polling);

    EXPECT_THAT(told, HasSubstr("cannot prepare the database: refused: the database was made by"));
    EXPECT_THAT(told, HasSubstr("\nIs DATABASE_URL right?"));
}

TEST_F(start, a_private_cluster_that_does_not_fit_is_told_with_its_folder) {
    auto const folder = tests::test_cluster_folder().parent_path() / "test-unfit";
    std::filesystem::remove_all(folder);
    auto const cluster =
        storage::start_private_cluster(folder / "postgres", tests::quick_programs()).value();
    storage::database_options to_it;
    to_it.url = cluster->url();
    ASSERT_TRUE(storage::run_blocking(to_it, [](storage::transaction& tx) {
        tx.script("create schema postrider; create table postrider.migration (number int)");
    }));
    settings.data = folder;
    url.clear();

    auto const told = refusal({"main"}, server::mode::polling);

    EXPECT_THAT(
        told, HasSubstr("\nIt is the private Postgres in " + (folder / "postgres").string())
    );
    cluster->stop();
}

TEST_F(start, a_time_zone_that_postgres_does_not_know_is_told_as_that) {
    settings.timezone = "Europe/Atlantis";

    auto const told = refusal({"main"}, server::mode::polling);

    EXPECT_THAT(told, HasSubstr("cannot keep the time zone of days"));
    EXPECT_THAT(told, HasSubstr("budgets.timezone"));
}

} // namespace
} // namespace postrider::server::start_up_test
