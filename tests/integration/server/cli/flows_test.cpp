// `postrider flows …`: from files to the database and back.
#include "tests/integration/server/cli/flow_commands.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace postrider::cli::flows_test {
namespace {

using testing::HasSubstr;

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

TEST_F(flow_commands, validate_needs_no_schema_either) {
    tests::test_database const fresh{tests::test_database::content::empty};
    std::ostringstream out, err;

    EXPECT_EQ(
        run({"flows", "validate", written(greeter)}, {{"DATABASE_URL", fresh.url()}}, out, err), 0
    );
    EXPECT_THAT(err.str(), HasSubstr("names of other flows are not checked"));
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

TEST_F(flow_commands, diff_marks_changed_words_and_cuts_nothing) {
    auto const flow_of = [&](std::string const& prompt) {
        return written(tests::flow_builder("asker")
                           .trigger("In", "manual")
                           .node("Say", "set", {{"fields", boost::json::object{{"text", prompt}}}})
                           .text());
    };
    std::string const rest = std::string(300, 'x') + " end";
    ASSERT_EQ(run_with({"import", flow_of("You are helpful. " + rest), "--publish"}).code, 0);
    ASSERT_EQ(run_with({"import", flow_of("You are kind. " + rest)}).code, 0);

    auto const shown = run_with({"diff", "asker"});

    EXPECT_THAT(shown.out, HasSubstr("You are [-helpful-]{+kind+}. " + rest + "\n"));
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

TEST_F(flow_commands, a_draft_begins_with_a_template) {
    auto const list = run_with({"templates"});
    auto const creation = json_of({"new", "news", "--template", "rss_digest"});
    auto const again = run_with({"new", "news", "--template", "rss_digest"});
    auto const slip = run_with({"new", "other", "--template", "rss_digets"});
    auto const empty = run_with({"new", "mine"});
    auto const wrong = run_with({"new", "Not A Name"});
    auto const draft = boost::json::parse(run_with({"export", "news", "--version", "draft"}).out);

    EXPECT_THAT(
        list.out, testing::ContainsRegex("rss_digest +Daily digest of a feed +Every morning, ")
    );
    EXPECT_EQ(
        json_of({"templates"}).at("flow_templates").at(0).at("name").as_string(), "webhook_agent"
    );
    EXPECT_TRUE(creation.at("published_version").is_null());
    EXPECT_EQ(creation.at("problems").as_array().size(), 3u) << "the feed, the bot and the chat";
    EXPECT_EQ(draft.at("name").as_string(), "news");
    EXPECT_EQ(draft.at("title").as_string(), "Daily digest of a feed");
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("there is a flow news already"));
    EXPECT_EQ(slip.code, 1);
    EXPECT_THAT(slip.err, HasSubstr("did you mean rss_digest?"));
    EXPECT_EQ(empty.code, 0) << empty.err;
    EXPECT_THAT(empty.out, HasSubstr("nothing starts this flow"));
    EXPECT_EQ(wrong.code, 1);
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
