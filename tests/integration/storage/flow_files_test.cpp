// Files of executions, as their statements leave them.
#include "storage/query.hpp"
#include "storage/stores/flow_files.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::flow_files_test {
namespace {

using namespace std::chrono_literals;

class flow_files : public testing::Test {
protected:
    flow_files() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
        std::vector<write> writes;
        writes.push_back(put_flow_file(job_id{1}, file, user_id{7}));
        auto const done = io_.run(query(*batches_, std::move(writes), 5s));
        EXPECT_TRUE(done) << to_string(done.error());
    }
    ~flow_files() override { batches_->close(); }

    std::optional<flow_file> read(job_id job) {
        return io_.run(read_flow_file(*batches_, job, file.id, 5s)).value();
    }
    std::string count() { return database_.value("select count(*) from postrider.flow_file"); }

    inline static flow_file const file{
        "V1StGXR8_Z5jdHi6B-myT", "a\"b.png", "image/png", std::string(300, '\0') + "\xff'\\"};
    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

// covers: X.23
TEST_F(flow_files, are_read_by_their_execution_alone) {
    auto const own = read(job_id{1});

    ASSERT_TRUE(own);
    EXPECT_EQ(own->content, file.content);
    EXPECT_EQ(own->name, file.name);
    EXPECT_EQ(own->mime, file.mime);
    EXPECT_FALSE(read(job_id{2}));
}

TEST_F(flow_files, that_have_expired_are_not_there_and_go) {
    EXPECT_EQ(database_.value("select postrider.prune_flow_files()"), "0");
    database_.execute("update postrider.flow_file set expires_at = postrider.now()");

    EXPECT_FALSE(read(job_id{1}));
    database_.execute("update postrider.flow_file set expires_at = postrider.now() - interval '1 s'"
    );
    EXPECT_EQ(database_.value("select postrider.prune_flow_files()"), "1");
    EXPECT_EQ(count(), "0");
}

TEST_F(flow_files, of_a_person_are_erased) {
    EXPECT_EQ(database_.value("select (postrider.erase_rows(8)).cleared ->> 'flow_file'"), "0");
    EXPECT_EQ(database_.value("select (postrider.erase_rows(7)).cleared ->> 'flow_file'"), "1");
    EXPECT_EQ(count(), "0");
}

} // namespace
} // namespace postrider::storage::flow_files_test
