// Collections and their documents from the command line.
#include "tests/integration/server/cli/database_commands.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace postrider::tests::knowledge_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
namespace json = boost::json;
namespace files = std::filesystem;

class knowledge_commands : public database_commands {
protected:
    knowledge_commands() {
        folder = testing::TempDir() + "/knowledge-" + std::to_string(::getpid());
        files::create_directories(folder + "/notes/.hidden");
        write("notes/b.md", "# Leave\n\nThirty days of leave.");
        write("notes/.hidden/c.txt", "Hidden.");
        write("a.txt", "Fees are ten euros.");
    }
    ~knowledge_commands() override { files::remove_all(folder); }

    void write(std::string const& name, std::string const& text) const {
        std::ofstream(folder + "/" + name) << text;
    }
    outcome add(std::vector<std::string> more = {}) {
        std::vector<std::string> args{
            "knowledge", "add", "--no-wait", "--collection", "docs", folder};
        args.insert(args.end(), more.begin(), more.end());
        return run_with(args);
    }
    json::value json_of(std::vector<std::string> args) {
        args.emplace_back("--json");
        auto const printed = run_with(args);
        EXPECT_EQ(printed.code, 0) << printed.err;
        return json::parse(printed.out);
    }

    std::string folder;
};

// covers: S3.20
TEST_F(knowledge_commands, add_the_files_of_a_folder) {
    auto const added = add({"--metadata", "team=sales", "--metadata", "year=2026"});

    EXPECT_EQ(added.code, 0) << added.err;
    EXPECT_THAT(
        added.err,
        AllOf(HasSubstr("a.txt: added"), HasSubstr("notes/b.md: added"), Not(HasSubstr("c.txt")))
    );
    auto const listed = json_of({"knowledge", "list", "docs"}).at("documents").as_array();
    ASSERT_THAT(listed, SizeIs(2));
    EXPECT_EQ(listed.at(1).at("name"), "notes/b.md");
    EXPECT_EQ(listed.at(1).at("metadata").at("year"), 2026);
    EXPECT_EQ(listed.at(1).at("metadata").at("team"), "sales");
    EXPECT_THAT(add().err, HasSubstr("a.txt: unchanged"));
    EXPECT_EQ(
        database.value("select actor from postrider.audit where kind = 'document_add' limit 1")
            .substr(0, 4),
        "cli:"
    );
}

TEST_F(knowledge_commands, show_and_search_what_is_read) {
    add();
    database.execute(
        "select postrider.note_document(1, 1, null, null, null, null, 'Fees', null, 1, 1), "
        "postrider.add_parts(1, 1, 'en', '[{\"number\": 1, \"page\": 3, \"heading\": \"\", "
        "\"content\": \"Fees are ten euros.\"}]'), postrider.finish_document(1, 1)"
    );

    EXPECT_THAT(
        run_with({"knowledge", "show", "docs", "1"}).out,
        AllOf(HasSubstr("ready"), HasSubstr("page 3"), HasSubstr("ten euros"))
    );
    EXPECT_THAT(
        run_with({"knowledge", "search", "docs", "What are the fees?"}).out,
        HasSubstr("[a.txt, page 3]")
    );
    auto const results = json_of({"knowledge", "search", "docs", "fees"}).at("results");
    EXPECT_EQ(results.at(0).at("document"), "a.txt");
    EXPECT_THAT(
        run_with({"knowledge", "search", "docs", "fees", "--filter", "team=x"}).err,
        HasSubstr("No document")
    );
    EXPECT_EQ(run_with({"knowledge", "search", "none", "fees"}).code, 1);
    EXPECT_EQ(run_with({"knowledge", "show", "docs", "99"}).code, 1);
}

// covers: S3.20
TEST_F(knowledge_commands, make_change_and_remove_collections) {
    EXPECT_EQ(
        run_with({"knowledge", "create", "docs", "--flow", "support", "--people", "owners"}).code, 0
    );
    EXPECT_EQ(run_with({"knowledge", "create", "docs"}).code, 1);
    auto const changed =
        json_of({"knowledge", "set", "docs", "--every-flow", "--description", "All of it"});
    EXPECT_EQ(changed.at("description"), "All of it");
    EXPECT_EQ(changed.at("access").at("people"), "owners");
    EXPECT_FALSE(changed.at("access").as_object().contains("flows"));
    EXPECT_EQ(run_with({"knowledge", "create", "No name"}).code, 2);
    EXPECT_EQ(run_with({"knowledge", "set", "none"}).code, 1);

    add();
    EXPECT_EQ(run_with({"knowledge", "remove", "docs"}).code, 2) << "which ones?";
    EXPECT_EQ(run_with({"knowledge", "remove", "docs", "1"}).code, 0);
    EXPECT_EQ(run_with({"knowledge", "remove", "docs", "1"}).code, 1);
    EXPECT_THAT(
        run_with({"knowledge", "remove", "docs", "--all"}).err, HasSubstr("its documents: 1")
    );
    EXPECT_EQ(database.value("select count(*) from postrider.document"), "0");
    EXPECT_EQ(database.value("select count(*) from postrider.job where state = 'cancelled'"), "2")
        << "what read them ends";
}

TEST_F(knowledge_commands, leave_what_doctor_looks_at) {
    EXPECT_THAT(run_with({"doctor"}).out, Not(HasSubstr("could not be read")));
    add();
    database.execute("select postrider.fail_document(1, 1, 'broken_document', 'It is broken.')");

    EXPECT_THAT(run_with({"doctor"}).out, HasSubstr("documents that could not be read: 1"));
    EXPECT_THAT(
        run_with({"knowledge", "list", "docs", "--state", "failed"}).out,
        HasSubstr("failed: It is broken.")
    );
}

TEST_F(knowledge_commands, tell_what_cannot_be_added) {
    auto const absent = run_with({"knowledge", "add", "--no-wait", folder + "/none.txt"});
    EXPECT_EQ(absent.code, 1);
    EXPECT_THAT(absent.err, HasSubstr("cannot read"));
    EXPECT_EQ(
        run_with({"knowledge", "add", "--no-wait", "--metadata", "x", folder + "/a.txt"}).code, 2
    );
    EXPECT_EQ(run_with({"knowledge", "reembed"}).code, 1) << "no embeddings are configured";
}

} // namespace
} // namespace postrider::tests::knowledge_test
