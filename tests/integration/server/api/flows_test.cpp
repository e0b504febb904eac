// The life of flows over HTTP.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::flows_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

std::string tag(api_answer const& answer) {
    return std::string(answer.headers.find("ETag"));
}

std::string text(json::value const& value, std::string_view name) {
    return std::string(value.at(name).as_string());
}

TEST(api_flows, a_draft_goes_in_and_comes_out_with_its_tag) {
    api_world world;

    auto const creation = world.post("/api/v1/flows", manual_flow("greeter", "greets"));
    auto const shown = world.get("/api/v1/flows/greeter");

    ASSERT_EQ(creation.status, 201) << json::serialize(creation.body);
    EXPECT_EQ(creation.headers.find("Location"), "/api/v1/flows/greeter");
    EXPECT_EQ(tag(creation), tag(shown));
    EXPECT_EQ(text(shown.body, "description"), "greets");
    EXPECT_EQ(shown.body.at("document"), json::parse(manual_flow("greeter", "greets")));
    EXPECT_TRUE(shown.body.at("published_version").is_null());
    EXPECT_EQ(world.post("/api/v1/flows", manual_flow("greeter")).code(), "name_taken");
    EXPECT_EQ(world.get("/api/v1/flows/nobody").status, 404);
    EXPECT_EQ(world.get("/api/v1/flows/%00").status, 404);
    EXPECT_EQ(world.get("/api/v1/flows/%ff").code(), "invalid") << "no name has such bytes";
    EXPECT_EQ(world.get("/api/v1/flows?%ff=1").code(), "invalid");
}

// covers: X.18
TEST(api_flows, a_draft_is_saved_only_by_who_saw_the_newest) {
    api_world world;
    auto const first = tag(world.post("/api/v1/flows", manual_flow("greeter")));
    auto const put = [&](std::string const& if_match, std::string_view description) {
        return world.ask_matching(
            "PUT", "/api/v1/flows/greeter", manual_flow("greeter", description), if_match
        );
    };

    auto const blind = world.ask("PUT", "/api/v1/flows/greeter", manual_flow("greeter", "blind"));
    auto const saved = put(first, "mine");
    auto const late = put(first, "theirs");
    auto const weak = put("W/" + tag(saved), "weak");
    auto const listed = put("\"x\", " + tag(saved), "again");
    auto const any = put("*", "whatever is there");

    EXPECT_EQ(blind.status, 428);
    EXPECT_EQ(blind.code(), "precondition_required");
    EXPECT_EQ(saved.status, 200);
    EXPECT_NE(tag(saved), first);
    EXPECT_EQ(late.status, 412);
    EXPECT_EQ(late.code(), "precondition_failed");
    EXPECT_EQ(weak.status, 412);
    EXPECT_EQ(listed.status, 200);
    EXPECT_EQ(any.status, 200);
}

TEST(api_flows, publishing_keeps_the_drafts_tag) {
    api_world world;
    auto const seen = tag(world.post("/api/v1/flows", manual_flow("greeter")));

    auto const published = world.post("/api/v1/flows/greeter/publish", R"({"note": "hello"})");
    auto const again = world.post("/api/v1/flows/greeter/publish");
    auto const saved =
        world.ask_matching("PUT", "/api/v1/flows/greeter", manual_flow("greeter", "next"), seen);
    auto const stale = world.ask_matching("POST", "/api/v1/flows/greeter/publish", "", seen);

    EXPECT_EQ(published.status, 201);
    EXPECT_EQ(published.headers.find("Location"), "/api/v1/flows/greeter/versions/1");
    EXPECT_EQ(text(published.body, "published_by"), "owner");
    EXPECT_EQ(again.status, 200);
    EXPECT_FALSE(again.body.at("fresh").as_bool());
    EXPECT_EQ(saved.status, 200) << "nobody changed the draft";
    EXPECT_TRUE(saved.body.at("changed").as_bool());
    EXPECT_EQ(stale.status, 412);
}

TEST(api_flows, who_published_is_known_by_their_token) {
    api_world world;
    auto const token = world.make_token("owner");
    world.post("/api/v1/flows", manual_flow("greeter"));

    auto const done = world.ask("POST", "/api/v1/flows/greeter/publish", "", token);

    EXPECT_EQ(text(done.body, "published_by"), "token:1");
}

TEST(api_flows, what_cannot_be_published_says_everything_that_is_wrong) {
    api_world world;
    world.post("/api/v1/flows", R"({"format": 1, "name": "wrong", "nodes": [
        {"id": "a", "name": "A", "type": "manual"},
        {"id": "b", "name": "B", "type": "telepathy"},
        {"id": "c", "name": "C", "type": "clairvoyance"}]})");

    auto const refused = world.post("/api/v1/flows/wrong/publish");

    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(refused.code(), "invalid_flow");
    EXPECT_GE(refused.body.at("problems").as_array().size(), 2u);
    EXPECT_TRUE(world.get("/api/v1/flows/wrong").body.at("published_version").is_null());
}

TEST(api_flows, who_publishes_is_told_of_a_trigger_that_another_flow_rivals) {
    api_world world;
    auto const hearing = [](std::string_view name) {
        return flow_builder(name).trigger("In", "telegram.message").text();
    };

    auto const first = world.post("/api/v1/flows/import?publish=true", hearing("assistant"));
    auto const second = world.post("/api/v1/flows/import?publish=true", hearing("mine"));
    auto const again = world.post("/api/v1/flows/mine/publish");

    EXPECT_TRUE(first.body.at("problems").as_array().empty());
    for (auto const& answer : {second, again}) {
        ASSERT_EQ(answer.body.at("problems").as_array().size(), 1u);
        auto const& problem = answer.body.at("problems").at(0);
        EXPECT_EQ(text(problem, "code"), "rivalled_trigger");
        EXPECT_EQ(text(problem, "severity"), "warning");
        EXPECT_THAT(text(problem, "message"), HasSubstr("assistant"));
    }
}

TEST(api_flows, a_draft_begins_with_a_template) {
    api_world world;

    auto const list = world.get("/api/v1/flow-templates");
    auto const& first = list.body.at("flow_templates").at(0);
    auto const creation =
        world.post("/api/v1/flows?template=webhook_agent", R"({"name": "alarms"})");
    auto const shown = world.get("/api/v1/flows/alarms");

    EXPECT_EQ(text(first, "name"), "webhook_agent");
    EXPECT_EQ(text(first, "title"), "Webhook to Telegram");
    ASSERT_EQ(creation.status, 201) << json::serialize(creation.body);
    EXPECT_EQ(creation.headers.find("Location"), "/api/v1/flows/alarms");
    EXPECT_EQ(creation.body.at("problems").as_array().size(), 3u)
        << "the secret, the bot and the chat";
    EXPECT_EQ(text(shown.body, "description"), text(first, "description"));
    EXPECT_EQ(shown.body.at("document").at("nodes"), first.at("document").at("nodes"));
    EXPECT_EQ(text(shown.body.at("document"), "name"), "alarms");

    auto const create = [&](std::string const& origin, std::string const& body) {
        return world.post("/api/v1/flows?template=" + origin, body).code();
    };
    EXPECT_EQ(create("webhook_agent", R"({"name": "alarms"})"), "name_taken");
    EXPECT_EQ(create("webhook_agnet", R"({"name": "other"})"), "not_found");
    EXPECT_EQ(create("webhook_agent", R"({"name": "No"})"), "invalid_flow");
    EXPECT_EQ(create("webhook_agent", R"({"nodes": []})"), "invalid");
}

TEST(api_flows, a_document_that_is_no_flow_is_not_kept) {
    api_world world;

    for (auto const* body : {"", "{", "[]", "{}", R"({"format": 1, "name": "No", "nodes": []})"}) {
        auto const answer = world.post("/api/v1/flows", body);
        EXPECT_EQ(answer.status, 422) << body;
        EXPECT_FALSE(answer.body.at("problems").as_array().empty()) << body;
    }
    auto const renamed = world.post("/api/v1/flows", manual_flow("one"));
    auto const other = world.ask_matching("PUT", "/api/v1/flows/one", manual_flow("two"), "*");
    EXPECT_EQ(other.code(), "name_differs");
    EXPECT_EQ(world.database.value("select count(*) from postrider.flow"), "1");
}

TEST(api_flows, a_document_may_be_large_but_not_too_large) {
    api_world world;
    auto const with_notes = [](std::size_t bytes) {
        return flow_builder("large")
            .trigger("In", "manual")
            .with("notes", json::string(bytes, 'x'))
            .text();
    };

    EXPECT_EQ(world.post("/api/v1/flows", with_notes(3u << 20)).status, 201);
    auto const refused = world.post("/api/v1/flows", with_notes(5u << 20));
    EXPECT_EQ(refused.status, 413);
    EXPECT_EQ(refused.code(), "too_large");
    EXPECT_EQ(text(refused.body, "detail"), "the body is over 4096 KiB");
}

TEST(api_flows, versions_are_listed_shown_compared_and_restored) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter", "one"));
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter", "two"));

    auto const page = world.get("/api/v1/flows/greeter/versions?limit=1");
    auto const rest = world.get("/api/v1/flows/greeter/versions?cursor=2");
    auto const first = world.get("/api/v1/flows/greeter/versions/1");
    auto const diff = world.get("/api/v1/flows/greeter/diff?from=1&to=2");
    auto const none = world.get("/api/v1/flows/greeter/diff");
    auto const restored = world.post("/api/v1/flows/greeter/versions/1/restore");
    auto const now = world.get("/api/v1/flows/greeter/diff");

    EXPECT_EQ(page.body.at("versions").at(0).at("version").as_int64(), 2);
    EXPECT_EQ(text(page.body, "next"), "2");
    EXPECT_EQ(rest.body.at("versions").as_array().size(), 1u);
    EXPECT_EQ(text(first.body.at("document"), "description"), "one");
    EXPECT_EQ(text(diff.body.at("settings").at(0), "path"), "/description");
    EXPECT_TRUE(none.body.at("empty").as_bool());
    EXPECT_TRUE(restored.body.at("changed").as_bool());
    EXPECT_EQ(text(now.body.at("settings").at(0), "after"), "one");
    EXPECT_EQ(world.get("/api/v1/flows/greeter/versions/3").status, 404);
    EXPECT_EQ(world.get("/api/v1/flows/greeter/diff?from=9").status, 404);
    EXPECT_EQ(world.get("/api/v1/flows/greeter/diff?from=soon").status, 404);
}

TEST(api_flows, a_version_is_a_whole_number_and_an_unknown_one_is_not_found) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter"));
    std::string const path = "/api/v1/flows/greeter";
    std::string const huge = "3000000000";

    for (auto const& version : {"1abc", "1.5", "1e0", "99999999999999999999", huge.c_str()}) {
        EXPECT_EQ(world.get(path + "/diff?from=" + version).status, 404) << version;
        EXPECT_EQ(world.get(path + "/diff?to=" + version).status, 404) << version;
    }
    EXPECT_EQ(world.get(path + "/versions/1abc").status, 400);
    auto const shown = world.get(path + "/versions/" + huge);
    EXPECT_EQ(shown.status, 404);
    EXPECT_EQ(text(shown.body, "detail"), "the flow greeter has no version 3000000000");
    EXPECT_EQ(world.post(path + "/versions/" + huge + "/restore").status, 404);
    EXPECT_EQ(world.post(path + "/run", R"({"version": )" + huge + "}").status, 404);
    auto const page = world.get(path + "/versions?cursor=" + huge);
    EXPECT_EQ(page.body.at("versions").as_array().size(), 1u) << "all are below it";
}

TEST(api_flows, an_import_keeps_other_peoples_work) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter", "one"));
    world.ask_matching("PUT", "/api/v1/flows/greeter", manual_flow("greeter", "mine"), "*");

    auto const refused = world.post("/api/v1/flows/import", manual_flow("greeter", "two"));
    auto const same = world.post("/api/v1/flows/import", manual_flow("greeter", "mine"));
    auto const forced =
        world.post("/api/v1/flows/import?overwrite=true", manual_flow("greeter", "two"));

    EXPECT_EQ(refused.code(), "draft_changed");
    EXPECT_EQ(same.status, 200);
    EXPECT_EQ(forced.status, 200);
    EXPECT_EQ(text(forced.body, "description"), "two");
    world.post("/api/v1/flows", manual_flow("other", "mine"));
    EXPECT_EQ(world.post("/api/v1/flows/import", manual_flow("other")).code(), "draft_changed");
}

// What is refused leaves nothing behind, not even half of it.
TEST(api_flows, an_import_that_cannot_be_published_makes_no_flow) {
    api_world world;

    auto const refused = world.post(
        "/api/v1/flows/import?publish=true", R"({"format": 1, "name": "empty", "nodes": []})"
    );

    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(world.get("/api/v1/flows/empty").status, 404);
}

TEST(api_flows, an_export_is_the_document_alone_and_can_be_imported) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter", "one"));
    world.ask_matching("PUT", "/api/v1/flows/greeter", manual_flow("greeter", "two"), "*");

    auto const published = world.get("/api/v1/flows/greeter/export");
    auto const draft = world.get("/api/v1/flows/greeter/export?version=draft");

    EXPECT_EQ(
        published.headers.find("Content-Disposition"), "attachment; filename=\"greeter.json\""
    );
    EXPECT_EQ(published.body, json::parse(manual_flow("greeter", "one")));
    EXPECT_EQ(draft.body, json::parse(manual_flow("greeter", "two")));
    EXPECT_EQ(world.get("/api/v1/flows/greeter/export?version=7").status, 404);
}

TEST(api_flows, are_listed_page_by_page) {
    api_world world;
    for (auto const* name : {"c", "a", "b"}) world.post("/api/v1/flows", manual_flow(name));
    world.post("/api/v1/flows/c/archive");

    auto const first = world.get("/api/v1/flows?limit=1");
    auto const second = world.get("/api/v1/flows?cursor=a");
    auto const all = world.get("/api/v1/flows?archived=true");

    EXPECT_EQ(text(first.body, "next"), "a");
    EXPECT_EQ(second.body.at("flows").as_array().size(), 1u);
    EXPECT_EQ(all.body.at("flows").as_array().size(), 3u);
    EXPECT_EQ(world.get("/api/v1/flows?archived=maybe").status, 400);
}

TEST(api_flows, that_are_archived_cannot_be_changed_or_started) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter"));

    EXPECT_THAT(
        world.get("/api/v1/flows/greeterr").body.at("detail").as_string(),
        testing::Eq("there is no flow greeterr; did you mean greeter?")
    );
    EXPECT_EQ(world.ask("DELETE", "/api/v1/flows/greeter").code(), "in_use");
    EXPECT_EQ(world.post("/api/v1/flows/greeter/archive").status, 200);
    EXPECT_EQ(
        world.ask_matching("PUT", "/api/v1/flows/greeter", manual_flow("greeter"), "*").code(),
        "archived"
    );
    EXPECT_EQ(world.post("/api/v1/flows/greeter/publish").code(), "archived");
    EXPECT_EQ(world.post("/api/v1/flows/greeter/run").code(), "archived");
    EXPECT_EQ(world.post("/api/v1/flows/import", manual_flow("greeter")).code(), "archived");
    EXPECT_EQ(world.ask("DELETE", "/api/v1/flows/greeter").status, 200);
    EXPECT_EQ(world.get("/api/v1/flows/greeter").status, 404);
}

} // namespace
} // namespace postrider::tests::flows_test
