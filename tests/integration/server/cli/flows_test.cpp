// `postrider flows …`: from files to the database and back.
#include "server/cli/run.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace postrider::cli::flows_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr auto greeter = R"({
  "format": 1,
  "name": "greeter",
  "nodes": [
    {"id": "in", "name": "In", "type": "manual"}
  ]
}
)";

class flow_commands : public testing::Test {
protected:
    struct outcome {
        int code;
        std::string out;
        std::string err;
    };

    ~flow_commands() override { std::filesystem::remove(file); }

    outcome run_with(std::vector<std::string> args) {
        args.insert(args.begin(), "flows");
        std::ostringstream out, err;
        int const code = run(args, {{"DATABASE_URL", database.url()}}, out, err);
        return {code, out.str(), err.str()};
    }
    boost::json::value json_of(std::vector<std::string> args) {
        args.push_back("--json");
        auto const done = run_with(std::move(args));
        EXPECT_EQ(done.code, 0) << done.err;
        return boost::json::parse(done.out);
    }
    std::string written(std::string_view text) {
        std::ofstream(file) << text;
        return file;
    }

    // Nothing yet: flows may be imported before the first start.
    tests::test_database database{tests::test_database::content::empty};
    std::string file = std::filesystem::temp_directory_path() / (database.name() + ".json");
};

TEST_F(flow_commands, a_file_is_imported_published_and_exported_again) {
    auto const imported = run_with({"import", written(greeter), "--publish", "--note", "first"});
    auto const again = run_with({"import", file, "--publish"});
    auto const exported = run_with({"export", "greeter"});
    auto const list = run_with({"list"});
    auto const shown = json_of({"show", "greeter"});

    EXPECT_EQ(imported.code, 0) << imported.err;
    EXPECT_THAT(imported.err, HasSubstr("v1 is published."));
    EXPECT_THAT(again.err, HasSubstr("v1 is published already."));
    EXPECT_EQ(exported.out, greeter) << "as people write it";
    EXPECT_THAT(list.out, HasSubstr("greeter  v1"));
    EXPECT_EQ(shown.at("versions").at(0).at("note").as_string(), "first");
    EXPECT_EQ(shown.at("versions").at(0).at("published_by").as_string(), "cli");
    EXPECT_EQ(shown.at("published_version").as_int64(), 1);
}

TEST_F(flow_commands, validate_prints_every_problem_and_needs_no_database) {
    std::ostringstream out, err;
    auto const validate = [&](std::string_view text) {
        out.str("");
        err.str("");
        return run(
            {"flows", "validate", written(text)},
            {{"DATABASE_URL", "postgres://nobody@127.0.0.1:1/none"}},
            out,
            err
        );
    };

    EXPECT_EQ(validate(greeter), 0) << err.str();
    EXPECT_THAT(err.str(), HasSubstr("greeter can be published"));
    EXPECT_EQ(
        validate(R"({"format": 1, "name": "wrong", "nodes": [
            {"id": "a", "name": "A", "type": "manul"},
            {"id": "b", "name": "B", "type": "telepathy"}]})"),
        1
    );
    EXPECT_THAT(err.str(), HasSubstr("names of other flows are not checked"));
    EXPECT_THAT(out.str(), HasSubstr("A (/nodes/0/type)"));
    EXPECT_THAT(out.str(), HasSubstr("did you mean \"manual\"?"));
    EXPECT_THAT(out.str(), HasSubstr("B (/nodes/1/type)"));
    EXPECT_THAT(err.str(), HasSubstr("errors"));
    EXPECT_EQ(validate("{"), 1);
    EXPECT_EQ(run({"flows", "validate", "/nowhere.json"}, {}, out, err), 1);
}

TEST_F(flow_commands, publish_knows_the_bots_of_the_database_where_none_is_configured) {
    ASSERT_EQ(run_with({"import", written(greeter)}).code, 0);
    database.execute("insert into postrider.bot (name) values ('demo')");
    auto const import = [&](std::string_view bot) {
        return run_with(
            {"import",
             written(tests::flow_builder("announcer")
                         .trigger("In", "manual")
                         .node("Out", "telegram.send", {{"bot", bot}, {"chat", 7}, {"text", "hi"}})
                         .text()),
             "--publish",
             "--overwrite"}
        );
    };

    auto const unknown = import("mian");
    auto const known = import("demo");

    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.out, HasSubstr("mian"));
    EXPECT_EQ(known.code, 0) << known.out << known.err;
}

// The way from `postrider demo` to a bot of one's own, on one database.
TEST_F(flow_commands, a_flow_of_a_demos_bot_keeps_no_other_from_being_published) {
    ASSERT_EQ(run_with({"import", written(greeter)}).code, 0);
    database.execute("insert into postrider.bot (name) values ('demo')");
    auto const flow_of = [](std::string_view bot) {
        return tests::flow_builder(fmt::format("of_{}", bot))
            .trigger("In", "telegram.message", {{"bots", boost::json::array{bot}}})
            .text();
    };
    auto const run_here = [&](std::vector<std::string> const& args) {
        std::ostringstream out, err;
        int const code =
            run(args, {{"DATABASE_URL", database.url()}, {"TELEGRAM_BOT_TOKEN", "1:a"}}, out, err);
        return outcome{code, out.str(), err.str()};
    };
    ASSERT_EQ(run_with({"import", written(flow_of("demo")), "--publish"}).code, 0);

    auto const own = run_here({"flows", "import", written(flow_of("main")), "--publish"});
    auto const left = run_here({"flows", "import", written(flow_of("demo")), "--publish"});
    auto const archived = run_here({"flows", "archive", "of_demo"});

    EXPECT_EQ(own.code, 0) << own.out << own.err;
    EXPECT_EQ(left.code, 1);
    EXPECT_THAT(left.out + left.err, HasSubstr("there is no bot \"demo\" — there is: main"));
    EXPECT_EQ(archived.code, 0) << archived.err;
}

TEST_F(flow_commands, validate_knows_the_flows_of_the_database) {
    auto const calls = [](std::string_view flow) {
        return tests::flow_builder("caller")
            .trigger("In", "manual")
            .node("Call", "call_flow", {{"flow", flow}})
            .text();
    };
    run_with({"import", written(greeter), "--publish"});

    auto const fine = run_with({"validate", written(calls("greeter"))});
    auto const unknown = run_with({"validate", written(calls("greetr"))});

    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.out, HasSubstr("did you mean \"greeter\"?"));
}

TEST_F(flow_commands, a_version_is_compared_and_restored) {
    run_with({"import", written(greeter), "--publish"});
    auto changed = boost::json::parse(greeter);
    changed.as_object()["description"] = "says hello";
    run_with({"import", written(boost::json::serialize(changed))});

    auto const diff = run_with({"diff", "greeter"});
    auto const published = run_with({"publish", "greeter"});
    auto const restored = run_with({"restore", "greeter", "1"});
    auto const back = json_of({"diff", "greeter", "--from", "1", "--to", "draft"});
    auto const versions = run_with({"versions", "greeter"});

    EXPECT_THAT(diff.out, HasSubstr("/description: \"\" → \"says hello\""));
    EXPECT_THAT(published.err, HasSubstr("greeter v2 is published."));
    EXPECT_EQ(restored.code, 0) << restored.err;
    EXPECT_TRUE(back.at("empty").as_bool());
    EXPECT_THAT(versions.out, HasSubstr("v2"));
    EXPECT_EQ(run_with({"restore", "greeter", "9"}).code, 1);
    EXPECT_EQ(run_with({"restore", "greeter", "x"}).code, 2);
}

TEST_F(flow_commands, a_folder_is_no_file) {
    EXPECT_THAT(run_with({"validate", testing::TempDir()}).err, HasSubstr("it is a folder"));
    EXPECT_EQ(run_with({"import", testing::TempDir()}).code, 1);
}

TEST_F(flow_commands, a_flow_is_started_by_hand) {
    run_with({"import", written(greeter), "--publish"});

    auto const started = json_of({"run", "greeter", "--input", R"({"who": "you"})"});
    auto const plain = run_with({"run", "greeter"});

    EXPECT_EQ(started.at("version").as_int64(), 1);
    EXPECT_EQ(
        database.value("select input -> 'data' ->> 'who' from postrider.job order by job_id limit 1"
        ),
        "you"
    );
    EXPECT_THAT(plain.out, testing::MatchesRegex("[0-9]+\n"));
    EXPECT_EQ(run_with({"run", "greeter", "--input", "{"}).code, 2);
    EXPECT_THAT(run_with({"run", "greeter", "--data", "{}"}).err, HasSubstr("is --input"));
    EXPECT_EQ(run_with({"run", "nobody"}).code, 1);
    EXPECT_THAT(plain.err, HasSubstr("No server runs"));
    EXPECT_THAT(run_with({"run", "greetr"}).err, HasSubstr("did you mean greeter?"));
    EXPECT_EQ(run_with({"run", "greeter", "--pinned", "[]"}).code, 2);
}

TEST_F(flow_commands, a_draft_is_started_by_hand_as_it_is_now) {
    constexpr auto other = R"({
  "format": 1,
  "name": "greeter",
  "nodes": [
    {"id": "in", "name": "In", "type": "manual", "parameters": {"example": {"who": "example"}}},
    {"id": "new", "name": "New", "type": "noop"}
  ],
  "connections": [{"from": "in", "to": "new"}]
}
)";
    run_with({"import", written(greeter), "--publish"});
    run_with({"import", written(other)});

    auto const draft = json_of({"run", "greeter", "--version", "draft"});
    auto const plain = run_with({"run", "greeter", "--version", "draft", "--input", "{}"});
    auto const published = json_of({"run", "greeter", "--version", "published"});
    auto const none = run_with({"run", "greeter", "--version", "7"});

    EXPECT_EQ(draft.at("version").as_int64(), 0);
    EXPECT_THAT(plain.err, HasSubstr("greeter (draft) starts as job"));
    EXPECT_EQ(published.at("version").as_int64(), 1);
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("7"));
    EXPECT_EQ(
        database.value("select string_agg(concat_ws(' ', input -> 'data', input -> 'document' -> "
                       "'nodes' -> 1 ->> 'name'), ', ' order by job_id) from postrider.job"),
        R"({"who": "example"} New, {} New, {})"
    );
    EXPECT_EQ(
        database.value("select string_agg(version || ' ' || trial, ', ' order by job_id) from "
                       "postrider.executions"),
        "0 true, 0 true, 1 false"
    );
}

TEST_F(flow_commands, a_draft_with_errors_does_not_start) {
    run_with({"import", written(R"({"format": 1, "name": "greeter", "nodes": [
             {"id": "in", "name": "In", "type": "manual"},
             {"id": "x", "name": "X", "type": "telepathy"}]})")});

    auto const refused = run_with({"run", "greeter", "--version", "draft"});

    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("the draft has errors"));
    EXPECT_THAT(refused.out, HasSubstr("telepathy"));
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "0");
}

TEST_F(flow_commands, diff_marks_changed_words_and_cuts_nothing) {
    auto const flow_of = [&](std::string const& prompt) {
        return written(
            tests::flow_builder("asker")
                .trigger("In", "manual")
                .node(
                    "Say",
                    "set",
                    {{"fields",
                      boost::json::array{boost::json::object{{"name", "text"}, {"value", prompt}}}}}
                )
                .text()
        );
    };
    std::string const rest = std::string(300, 'x') + " end";
    ASSERT_EQ(run_with({"import", flow_of("You are helpful. " + rest), "--publish"}).code, 0);
    ASSERT_EQ(run_with({"import", flow_of("You are kind. " + rest)}).code, 0);

    auto const shown = run_with({"diff", "asker"});

    EXPECT_THAT(shown.out, HasSubstr("You are [-helpful-]{+kind+}. " + rest + "\n"));
}

TEST_F(flow_commands, a_flow_is_begun_in_the_middle_with_pinned_items) {
    run_with({"import", written(greeter), "--publish"});

    auto const begun = json_of(
        {"run", "greeter", "--start", "In", "--only", "--pinned", R"({"In": [{"who": "you"}]})"}
    );
    auto const wrong = run_with({"run", "greeter", "--start", "Out"});

    EXPECT_GT(begun.at("job_id").as_int64(), 0);
    EXPECT_EQ(
        database.value(
            "select concat_ws(' ', input ->> 'start', input ->> 'only', input -> 'pinned' "
            "-> 'In' -> 0 ->> 'who') from postrider.job"
        ),
        "in true you"
    );
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.err, HasSubstr("greeter has no node Out; its nodes: In"));
    EXPECT_THAT(
        run_with({"run", "greeter", "--trigger", "In1"}).err,
        HasSubstr("greeter has no trigger In1; did you mean In?")
    );
    EXPECT_THAT(
        run_with({"run", "greeter", "--start", "In", "--pinned", R"({"Inn": [{}]})"}).err,
        HasSubstr("greeter has no node named Inn to pin; did you mean In?")
    );
}

// The end that a worker would write.
TEST_F(flow_commands, waiting_prints_the_output_or_why_it_failed) {
    run_with({"import", written(greeter), "--publish"});
    database.execute(R"sql(
create function end_it() returns trigger language plpgsql as $$
begin
    if new.input -> 'data' ->> 'well' = 'true' then
        new.state := 'completed'; new.output := '{"items": [{"said": "hello"}]}';
    else
        new.state := 'failed'; new.error_class := 'timeout'; new.error := 'nobody answered';
    end if;
    new.finished_at := postrider.now();
    return new;
end $$;
create trigger end_it before insert on postrider.job for each row execute function end_it();)sql");

    auto const well = run_with({"run", "greeter", "--input", R"({"well": true})", "--wait"});
    auto const failed = run_with({"run", "greeter", "--input", "{}", "--watch"});
    auto const json =
        run_with({"run", "greeter", "--input", R"({"well": true})", "--wait", "--json"});

    EXPECT_EQ(well.code, 0) << well.err;
    EXPECT_EQ(well.out, "{\"items\":[{\"said\":\"hello\"}]}\n");
    EXPECT_EQ(failed.code, 1);
    EXPECT_THAT(failed.err, HasSubstr("failed: timeout: nobody answered"));
    EXPECT_EQ(boost::json::parse(json.out).at("state").as_string(), "completed");
}

// The steps that a worker would write while somebody looks.
TEST_F(flow_commands, watching_tells_of_each_step) {
    run_with({"import", written(greeter), "--publish"});
    database.execute(R"sql(
create function run_it() returns trigger language plpgsql as $$
begin
    insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome)
    values (new.job_id, 1, postrider.now(), postrider.now() + interval '1 min', 1, 'ask/model', 'done'),
           (new.job_id, 2, postrider.now(), postrider.now() + interval '1 min', 1, 'tell/send', 'done');
    update postrider.job set state = 'completed', finished_at = postrider.now(), output = '{"items": []}'
    where job_id = new.job_id;
    return null;
end $$;
create trigger run_it after insert on postrider.job for each row execute function run_it();)sql");

    auto const watched = run_with({"run", "greeter", "--input", "{}", "--watch"});
    auto const waited = run_with({"run", "greeter", "--input", "{}", "--wait"});

    EXPECT_EQ(watched.code, 0) << watched.err;
    EXPECT_THAT(watched.err, HasSubstr("ask/model"));
    EXPECT_THAT(watched.err, HasSubstr("tell/send"));
    EXPECT_THAT(waited.err, testing::Not(HasSubstr("ask/model")));
}

TEST_F(flow_commands, node_types_are_told_from_the_program_alone) {
    auto const all = run_with({"node-types"});
    auto const send = run_with({"node-types", "telegram.send"});
    auto const slip = run_with({"node-types", "telegram.sned"});
    auto const json = json_of({"node-types"});

    EXPECT_THAT(all.out, HasSubstr("telegram.send"));
    EXPECT_THAT(send.out, testing::ContainsRegex("text +string +must be written"));
    EXPECT_EQ(slip.code, 1);
    EXPECT_THAT(slip.err, HasSubstr("did you mean telegram.send?"));
    EXPECT_GT(json.at("node_types").as_array().size(), 20u);
}

TEST_F(flow_commands, a_file_without_a_document_is_told_plainly) {
    for (auto const* text : {"", " \n"}) {
        auto const empty = run_with({"validate", written(text)});

        EXPECT_EQ(empty.code, 1);
        EXPECT_THAT(empty.err, HasSubstr("it is empty; a flow is a JSON document"));
    }
}

TEST_F(flow_commands, archive_names_the_flows_that_call_it_and_doctor_finds_them) {
    run_with({"import", written(greeter), "--publish"});
    run_with(
        {"import",
         written(tests::flow_builder("orders")
                     .trigger("In", "manual")
                     .node("Greet", "call_flow", {{"flow", "greeter"}})
                     .text()),
         "--publish"}
    );
    auto const doctor = [&] {
        std::ostringstream out, err;
        run({"doctor", "--data", testing::TempDir()}, {{"DATABASE_URL", database.url()}}, out, err);
        return out.str();
    };
    EXPECT_THAT(doctor(), testing::Not(HasSubstr("flow orders")));

    auto const archived = run_with({"archive", "greeter"});

    EXPECT_EQ(archived.code, 0) << archived.err;
    EXPECT_THAT(archived.err, HasSubstr("It is needed by orders: "));
    EXPECT_THAT(archived.err, HasSubstr("`postrider flows unarchive greeter`"));
    EXPECT_THAT(doctor(), HasSubstr("warn   flow orders: "));
    EXPECT_THAT(doctor(), HasSubstr("there is no flow \"greeter\""));
    EXPECT_EQ(run_with({"archive", "orders"}).err.find("needed"), std::string::npos);
}

TEST_F(flow_commands, an_archived_flow_can_be_deleted) {
    run_with({"import", written(greeter), "--publish"});

    EXPECT_EQ(run_with({"delete", "greeter"}).code, 1);
    EXPECT_EQ(run_with({"archive", "greeter"}).code, 0);
    EXPECT_THAT(run_with({"list"}).err, HasSubstr("There is no flow;"));
    EXPECT_THAT(run_with({"list", "--archived"}).out, HasSubstr("archived"));
    EXPECT_EQ(run_with({"unarchive", "greeter"}).code, 0);
    EXPECT_EQ(run_with({"archive", "greeter"}).code, 0);
    EXPECT_EQ(run_with({"delete", "greeter"}).code, 0);
    EXPECT_THAT(run_with({"show", "greeter"}).err, HasSubstr("there is no flow greeter"));
}

} // namespace
} // namespace postrider::cli::flows_test
