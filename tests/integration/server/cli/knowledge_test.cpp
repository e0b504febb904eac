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
    EXPECT_THAT(added.err, HasSubstr("The collection docs is new."));
    EXPECT_THAT(
        added.err,
        AllOf(HasSubstr("a.txt: added"), HasSubstr("notes/b.md: added"), Not(HasSubstr("c.txt")))
    );
    auto const listed = json_of({"knowledge", "list", "docs"}).at("documents").as_array();
    ASSERT_THAT(listed, SizeIs(2));
    EXPECT_EQ(listed.at(0).at("name"), "notes/b.md") << "the newest first";
    EXPECT_EQ(listed.at(0).at("metadata").at("year"), 2026);
    EXPECT_EQ(listed.at(0).at("metadata").at("team"), "sales");
    EXPECT_THAT(add().err, AllOf(HasSubstr("a.txt: unchanged"), Not(HasSubstr("is new"))));
    EXPECT_EQ(
        database.value("select actor from postrider.audit where kind = 'document_add' limit 1")
            .substr(0, 4),
        "cli:"
    );
}

TEST_F(knowledge_commands, show_and_search_what_is_read) {
    add();
    database.execute(
        "select postrider.note_document(1, 1, null, null, null, 'Fees', null, 1, 1), "
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
        HasSubstr("No document with this metadata")
    );
    EXPECT_EQ(run_with({"knowledge", "search", "none", "fees"}).code, 1);
    EXPECT_EQ(run_with({"knowledge", "show", "docs", "99"}).code, 1);
}

TEST_F(knowledge_commands, show_no_blank_lines_but_between_parts) {
    add();
    database.execute(
        "select postrider.note_document(1, 1, null, null, null, 'Fees', null, 2, 2), "
        "postrider.add_parts(1, 1, 'en', '[{\"number\": 1, \"heading\": \"\", \"content\": "
        "\"One.\\n\\n \\nTwo.\\n\"}, {\"number\": 2, \"page\": 4, \"heading\": \"Fees\", "
        "\"content\": \"Three.\"}]'), postrider.finish_document(1, 1)"
    );

    EXPECT_THAT(
        run_with({"knowledge", "show", "docs", "1"}).out,
        testing::EndsWith("metadata: {}\n\n1\nOne.\nTwo.\n\n2, page 4: Fees\nThree.\n")
    );
}

TEST_F(knowledge_commands, warn_of_flows_that_are_not_there) {
    auto const created = run_with({"knowledge", "create", "docs", "--flow", "suport"});
    EXPECT_EQ(created.code, 0) << "the flow may come later";
    EXPECT_THAT(created.err, HasSubstr("there is no flow suport yet"));
    EXPECT_THAT(
        run_with({"knowledge", "set", "docs", "--flow", "nowhere"}).err,
        HasSubstr("there is no flow nowhere yet")
    );
    EXPECT_THAT(
        run_with({"knowledge", "set", "docs", "--people", "owners"}).err, Not(HasSubstr("no flow"))
    );
}

TEST_F(knowledge_commands, say_at_once_that_no_server_reads_what_was_added) {
    auto const added = run_with({"knowledge", "add", folder + "/a.txt"});

    EXPECT_EQ(added.code, 1);
    EXPECT_THAT(added.err, AllOf(HasSubstr("a.txt: reading"), HasSubstr("no server runs")));
    EXPECT_EQ(database.value("select state from postrider.document"), "reading") << "it is added";
}

TEST_F(knowledge_commands, end_with_1_and_the_reason_where_a_document_cannot_be_read) {
    database.execute("insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, "
                     "host, version, slots) "
                     "values (1, 1, 1, 'b', 'p', 'h', 'v', 1)");
    // A server that has read it by the first look.
    database.execute(
        "create function public.read_at_once() returns trigger language plpgsql as $$ begin "
        "perform postrider.fail_document(new.document_id, new.incoming, 'broken_document', 'The "
        "document is broken.'); "
        "return null; end $$"
    );
    database.execute(
        "create trigger read_at_once after update of job_id on postrider.document for each row "
        "when (new.job_id is not null) execute function public.read_at_once()"
    );

    auto const added = run_with({"knowledge", "add", folder + "/a.txt"});

    EXPECT_EQ(added.code, 1);
    EXPECT_THAT(
        added.err,
        AllOf(HasSubstr("a.txt: failed: The document is broken."), Not(HasSubstr("no server runs")))
    );
}

TEST_F(knowledge_commands, count_the_call_for_the_vector_of_a_question) {
    add();
    // A server that does not answer: no port is that low here.
    write(
        "config.toml",
        "[embeddings.default]\nbase_url = 'http://127.0.0.1:1/v1'\nmodel = 'x'\ndimension = 3\n"
        "[budgets]\ntotal_calls_per_day = 1\n"
    );
    auto const search = [this] {
        return run_with({"knowledge", "search", "docs", "fees", "--config", folder + "/config.toml"}
        );
    };

    auto const unanswered = search();

    EXPECT_EQ(unanswered.code, 0);
    EXPECT_THAT(
        unanswered.err,
        AllOf(
            HasSubstr("does not answer. The words alone were searched."),
            HasSubstr("none of its documents is ready")
        )
    );
    EXPECT_EQ(
        database.value("select concat_ws(' ', subject, detail ->> 'outcome', left(actor, 4)) "
                       "from postrider.audit where kind = 'model_call'"),
        "collection:docs unavailable cli:"
    );
    EXPECT_EQ(database.value("select count(*) from postrider.budget_hold"), "0") << "given back";

    database.execute("update postrider.budget_day set calls = 1");
    EXPECT_THAT(search().err, HasSubstr("budget"));
    EXPECT_EQ(
        database.value("select count(*) from postrider.audit where kind = 'budget_stop'"), "1"
    );
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
    files::create_directories(folder + "/empty");
    auto const empty = run_with({"knowledge", "add", "--no-wait", folder + "/empty"});
    EXPECT_EQ(empty.code, 1);
    EXPECT_THAT(empty.err, HasSubstr("has no files that can be read"));
    EXPECT_EQ(
        run_with({"knowledge", "add", "--no-wait", "--metadata", "x", folder + "/a.txt"}).code, 2
    );
    EXPECT_EQ(run_with({"knowledge", "reembed"}).code, 1) << "no embeddings are configured";
}

} // namespace
} // namespace postrider::tests::knowledge_test
