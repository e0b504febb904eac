// The data tables of flows, as their statements leave them.
#include "base/json/text.hpp"
#include "storage/query.hpp"
#include "storage/stores/flow_data.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::flow_data_test {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;

class flow_data : public testing::Test {
protected:
    flow_data() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~flow_data() override { batches_->close(); }

    static write put(
        std::string key,
        json::value value,
        std::optional<std::chrono::milliseconds> keep = {},
        user_id user = {}
    ) {
        return put_flow_data(table, {.key = std::move(key), .value = std::move(value)}, user, keep);
    }
    void commit(std::vector<write> writes) {
        auto const done = io_.run(query(*batches_, std::move(writes), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }
    std::string read(std::string_view key, flow_table const& of = table) {
        std::vector<flow_key> const keys{{of.name, std::string(key)}};
        auto const values = io_.run(read_flow_data(*batches_, of.flow, keys, 1 << 20, 5s)).value();
        return values.at(0) ? base::json_text(*values[0]) : "none";
    }
    std::vector<std::string> list(
        json::object const& where = {},
        std::string_view after = "",
        std::int64_t limit = 100,
        std::int64_t bytes = 1 << 20
    ) {
        auto const rows =
            io_.run(list_flow_data(*batches_, table, where, after, limit, bytes, 5s)).value();
        std::vector<std::string> keys;
        for (auto const& row : rows) keys.push_back(row.key);
        return keys;
    }
    flow_data_size size(std::set<flow_key> const& replaced = {}) {
        return io_.run(measure_flow_data(*batches_, table.flow, replaced, 5s)).value();
    }

    inline static flow_table const table{"orders", "seen"};
    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

TEST_F(flow_data, keeps_the_last_value_of_a_key) {
    commit({put("a", 1), put("b", nullptr), put("a", json::object{{"n", 2}})});

    EXPECT_EQ(read("a"), R"({"n":2})");
    EXPECT_EQ(read("b"), "null");
    EXPECT_EQ(read("c"), "none");
    EXPECT_EQ(read("a", {"other", "seen"}), "none");
    EXPECT_EQ(read("a", {"orders", "other"}), "none");
    commit({put("a", 3), delete_flow_data(table, "b"), delete_flow_data(table, "c")});
    EXPECT_EQ(read("a"), "3");
    EXPECT_EQ(read("b"), "none");
    EXPECT_EQ(size().rows, 1);
    EXPECT_EQ(size().bytes, 2);
}

TEST_F(flow_data, is_read_for_several_keys_at_once_within_a_bound) {
    commit(
        {put("a", 1),
         put("b", json::string(50, 'x')),
         put_flow_data({"orders", "other"}, {.key = "a", .value = 2}, {}, {})}
    );
    std::vector<flow_key> const keys{{"seen", "b"}, {"seen", "c"}, {"other", "a"}, {"seen", "b"}};

    auto const values = io_.run(read_flow_data(*batches_, "orders", keys, 1000, 5s)).value();
    auto const refused = io_.run(read_flow_data(*batches_, "orders", keys, 100, 5s));

    ASSERT_EQ(values.size(), 4u);
    EXPECT_EQ(values[0], json::value(json::string(50, 'x')));
    EXPECT_FALSE(values[1]);
    EXPECT_EQ(values[2], json::value(2));
    EXPECT_EQ(values[3], values[0]);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), base::errc::too_large);
}

TEST_F(flow_data, is_measured_without_what_is_replaced) {
    commit({put("a", 1), put("b", 22)});

    auto const others = size({{"seen", "a"}, {"seen", "new"}, {"other", "b"}});

    EXPECT_EQ(others.rows, 1);
    EXPECT_EQ(others.bytes, 3);
}

TEST_F(flow_data, goes_with_its_flow) {
    database_.execute("insert into postrider.flow (name, draft) values ('orders', '{}')");
    commit({put("a", 1), put_flow_data({"other", "seen"}, {.key = "a", .value = 1}, {}, {})});

    database_.execute("delete from postrider.flow where name = 'orders'");

    EXPECT_EQ(database_.value("select string_agg(flow, ' ') from postrider.flow_data"), "other");
}

TEST_F(flow_data, is_listed_in_pages_by_key) {
    commit(
        {put("c", json::object{{"open", true}, {"n", 1}}),
         put("a", json::object{{"open", true}}),
         put("b", json::object{{"open", false}}),
         put("d", 7)}
    );

    EXPECT_THAT(list(), ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(list({}, "b", 1), ElementsAre("c"));
    EXPECT_THAT(list({{"open", true}}), ElementsAre("a", "c"));
    EXPECT_THAT(list({{"open", true}, {"n", 1}}), ElementsAre("c"));
    EXPECT_THAT(list({{"closed", true}}), IsEmpty());
    EXPECT_THAT(list({}, "", 100, 1), ElementsAre("a")) << "at least one, whatever its size";
    EXPECT_THAT(list({}, "", 100, 29), ElementsAre("a", "b"));
}

TEST_F(flow_data, that_has_expired_is_not_there) {
    commit({put("a", 1, 1min), put("b", 2, 1h), put("c", 3)});
    database_.execute("update postrider.flow_data set expires_at = postrider.now() where key = 'a'"
    );

    EXPECT_EQ(read("a"), "none");
    EXPECT_THAT(list(), ElementsAre("b", "c"));
    EXPECT_EQ(size().rows, 3);
    EXPECT_EQ(database_.value("select postrider.prune_flow_data()"), "1");
    EXPECT_EQ(size().rows, 2);
    commit({put("b", 2)});
    EXPECT_EQ(
        database_.value("select count(*) from postrider.flow_data where expires_at is not null"),
        "0"
    ) << "a value without an end replaces the one with it";
}

TEST_F(flow_data, of_a_person_is_erased) {
    commit({put("a", 1, {}, user_id{7}), put("b", 2, {}, user_id{8}), put("c", 3)});

    auto const cleared =
        database_.value("select (postrider.erase_rows(7)).cleared ->> 'flow_data'");

    EXPECT_EQ(cleared, "1");
    EXPECT_THAT(list(), ElementsAre("b", "c"));
}

} // namespace
} // namespace postrider::storage::flow_data_test
