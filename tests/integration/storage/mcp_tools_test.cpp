// What a server says of its tools, and what was agreed to.
#include "storage/query.hpp"
#include "storage/stores/mcp_tools.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

namespace postrider::storage::mcp_tools_test {
namespace {

using namespace std::chrono_literals;

class mcp_pins : public testing::Test {
protected:
    mcp_pins() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~mcp_pins() override { batches_->close(); }

    void note(std::string digest) {
        boost::json::value const definition = boost::json::object{{"description", digest}};
        auto row = note_mcp_tool("files", "read", digest, definition);
        auto const done = io_.run(query(*batches_, std::move(row), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }
    std::vector<waiting_mcp_tool> accept(std::string_view digest) {
        std::vector<waiting_mcp_tool> accepted;
        auto work = [&](transaction& tx) { accepted = accept_mcp_tools(tx, "files", "", digest); };
        EXPECT_TRUE(run_blocking(database_.options(), work));
        return accepted;
    }
    mcp_pin pin() { return io_.run(read_mcp_pins(*batches_, "files", 5s)).value().at("read"); }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

// covers: X.08
TEST_F(mcp_pins, keep_what_was_seen_first_until_a_change_is_accepted) {
    EXPECT_TRUE(io_.run(read_mcp_pins(*batches_, "files", 5s))->empty());
    note("first");
    note("second");
    note("third");
    EXPECT_EQ(pin().digest, "first");
    EXPECT_EQ(pin().waiting, "third");

    EXPECT_TRUE(accept("second").empty()) << "it was shown, and is not what waits";
    EXPECT_EQ(pin().digest, "first");
    auto const accepted = accept("thi");
    ASSERT_EQ(accepted.size(), 1U);
    EXPECT_EQ(accepted[0].agreed.at("description"), "first");
    EXPECT_EQ(accepted[0].offered.at("description"), "third");
    EXPECT_EQ(accepted[0].digest, "third");
    EXPECT_EQ(pin().digest, "third");
    EXPECT_EQ(pin().waiting, "");
}

TEST_F(mcp_pins, wait_no_longer_when_the_server_takes_its_change_back) {
    note("first");
    note("second");
    note("first");
    EXPECT_EQ(pin().digest, "first");
    EXPECT_EQ(pin().waiting, "");
}

} // namespace
} // namespace postrider::storage::mcp_tools_test
