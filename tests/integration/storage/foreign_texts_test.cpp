// Texts of tools, people and addresses may hold U+0000, which Postgres stores in no form.
#include "storage/query.hpp"
#include "storage/stores/bots.hpp"
#include "storage/stores/sessions.hpp"
#include "storage/stores/strangers.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

namespace postrider::storage::foreign_texts_test {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

class foreign_texts : public testing::Test {
protected:
    foreign_texts() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~foreign_texts() override { batches_->close(); }

    void commit(std::vector<write> writes) {
        auto const done = io_.run(query(*batches_, std::move(writes), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

TEST_F(foreign_texts, are_kept_in_a_session) {
    message_row row;
    row.job = job_id{7};
    row.position = 1;
    row.role = "tool";
    row.content = "a\0b"s;
    row.detail = boost::json::object{{"name", "x\0y"s}};
    auto const session = "of\0one"s;

    commit({add_to_session(session, row)});
    auto const found = io_.run(read_session(*batches_, session, 0, 10, 5s));

    ASSERT_TRUE(found) << to_string(found.error());
    ASSERT_EQ(found->size(), 1u);
    EXPECT_EQ(
        found->front().content,
        "a\xef\xbf\xbd"
        "b"
    );
    EXPECT_EQ(found->front().detail.at("name").as_string(), "x\xef\xbf\xbdy");
    commit({clear_session(session)});
    EXPECT_TRUE(io_.run(read_session(*batches_, session, 0, 10, 5s))->empty());
}

TEST_F(foreign_texts, are_names_of_strangers) {
    commit(count_stranger({bot_id{1}, user_id{2}, chat_id{3}, "Eve\0"s}));

    EXPECT_EQ(database_.value("select name from postrider.stranger"), "Eve\xef\xbf\xbd");
}

TEST_F(foreign_texts, are_the_name_of_no_bot) {
    auto const found = io_.run(find_bot(*batches_, "bot\0"s, 5s));

    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_FALSE(*found);
}

} // namespace
} // namespace postrider::storage::foreign_texts_test
