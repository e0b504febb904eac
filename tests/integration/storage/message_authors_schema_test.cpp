#include "storage/migrations.hpp"
#include "storage/schema.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::storage::message_authors_schema_test {
namespace {

constexpr auto add_message = R"(
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, sender_name, content)
values (1, 2, 3, 0, 'user', 'm', 'Ivana', 'hi'), (1, 2, 3, 2, 'assistant', 'n', null, 'hello')
)";

// Where the table and its rows are.
constexpr auto places = R"(
select pg_relation_filenode('postrider.message') || ' ' || string_agg(ctid || ' ' || xmin, ' ' order by position)
from postrider.message
)";

TEST(message_authors_schema, comes_to_a_history_without_rewriting_it) {
    tests::test_database database{tests::test_database::content::empty};
    auto const& all = embedded_schema();
    auto const is_of_authors = [](schema_file const& file) {
        return file.name == "tables/0029_message_authors";
    };
    auto const authors = std::ranges::find_if(all.tables, is_of_authors);
    auto const before = static_cast<std::size_t>(authors - all.tables.begin());
    schema const older{
        .release = "0",
        .number = 0,
        .tables = all.tables.first(before),
        .functions = {},
        .views = {}};
    ASSERT_TRUE(migrate(database.options(), older));
    database.execute(add_message);
    auto const stood = database.value(places);

    ASSERT_TRUE(migrate(database.options()));

    EXPECT_EQ(database.value(places), stood);
    EXPECT_EQ(
        database.value("select string_agg(postrider.origin_of(m) || coalesce(' ' || origin, '') || "
                       "coalesce(author::text, ''), ' ' order by position) from postrider.message m"
        ),
        "person agent"
    );
}

} // namespace
} // namespace postrider::storage::message_authors_schema_test
