// The templates in the real binary, from `flows new` to what people get: only what is theirs is filled in.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/flow_template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::templates_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

auto const bobs_chat = base::raw(bob);

class template_scene : public scene {
public:
    using scene::scene;

    // Makes a flow of the template, fills in the values of all places that it shows as missing, and
    // publishes it.
    void use(std::string const& origin, filled_in const& values = {}, std::string name = "") {
        if (name.empty()) name = origin;
        auto const creation = product().run({"flows", "new", name, "--template", origin, "--json"});
        ASSERT_EQ(creation.code, 0) << product().log();
        auto const body = json::parse(creation.out);
        for (auto const& problem : body.at("problems").as_array())
            EXPECT_EQ(problem.at("code").as_string(), "missing_parameter")
                << json::serialize(problem);
        auto const draft = product().run({"flows", "export", name, "--version", "draft"});
        auto const file = product().folder() / (name + ".json");
        write_file(file, fill_in(json::parse(draft.out).as_object(), values));
        auto const imported =
            product().run({"flows", "import", file.string(), "--overwrite", "--publish"});
        ASSERT_EQ(imported.code, 0) << imported.out << product().log();
        EXPECT_EQ(imported.out, "") << "no problem";
    }

    // The last words to a person come to be these.
    bool hears(user_id person, std::string const& words) {
        return eventually([&] {
            auto const sent_texts = texts(chat_id{base::raw(person)});
            return !sent_texts.empty() && sent_texts.back().find(words) != std::string::npos;
        });
    }
    std::string prompt() const { return json::serialize(models.requests().back().body); }
};

answer post(
    product const& server,
    std::string const& target,
    std::string const& headers,
    std::string const& body
) {
    return http_exchange(
        server.port(),
        "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers +
            "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body
    );
}

TEST(templates, webhook_agent_tells_the_chat_once_though_the_server_dies) {
    template_scene s{{{"POSTRIDER_SECRET_SHOP", "s3cret"}}};
    s.use(
        "webhook_agent",
        {{"request.secret", "shop"}, {"tell.bot", "main"}, {"tell.chat", bobs_chat}}
    );
    s.product().start();
    s.introduce();
    s.product().stop();
    s.product().start({{"POSTRIDER_FAULTS", "turn.before_send:kill:1"}});
    s.models.script(fake_reply::saying("Order 7 is paid."));

    auto const accepted = post(
        s.product(),
        "/hooks/webhook-agent",
        "Authorization: Bearer s3cret\r\nContent-Type: application/json\r\n",
        R"({"order": 7, "state": "paid"})"
    );
    EXPECT_EQ(accepted.status, 202) << accepted.body;
    ASSERT_TRUE(s.product().wait_for_exit(30s)) << s.product().log();
    s.product().start();

    EXPECT_TRUE(s.hears(bob, "Order 7 is paid.")) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_THAT(s.texts(chat_id{bobs_chat}), testing::SizeIs(2)) << "hello, and this once";
    EXPECT_THAT(s.prompt(), HasSubstr("paid"));
}

TEST(templates, approval_sends_the_draft_that_was_revised_and_approved) {
    template_scene s;
    s.use("approval", {{"publish.chat", bobs_chat}});
    s.product().start();
    s.introduce();
    s.models.script(fake_reply::saying("We close at noon on Friday, as we do each year."));
    s.models.script(fake_reply::saying("Friday: closed from noon."));

    s.say(alice, "/announce We close at noon on Friday");
    ASSERT_TRUE(s.hears(alice, "as we do each year.\n\nMay it go out?")) << s.product().log();
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.wait"));
    s.product().stop(); // the question outlives the process
    s.product().start();
    s.press(alice, chat_id{base::raw(alice)}, "Shorter");
    ASSERT_TRUE(s.hears(alice, "Friday: closed from noon.\n\nMay it go out?")) << s.product().log();
    EXPECT_THAT(
        s.prompt(), AllOf(HasSubstr("as we do each year"), HasSubstr("Make the draft shorter"))
    );
    s.press(alice, chat_id{base::raw(alice)}, "Send it");

    EXPECT_TRUE(s.hears(bob, "Friday: closed from noon."));
    EXPECT_TRUE(s.hears(alice, "The announcement is sent."));
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

TEST(templates, approval_ends_after_its_last_draft_and_sends_nothing) {
    template_scene s;
    s.use("approval", {{"publish.chat", bobs_chat}});
    s.product().start();
    s.introduce();

    for (int draft = 1; draft <= 5; ++draft)
        s.models.script(fake_reply::saying("Draft " + std::to_string(draft)));
    s.say(alice, "/announce We close at noon");
    for (int draft = 1; draft <= 5; ++draft) {
        ASSERT_TRUE(s.hears(alice, "Draft " + std::to_string(draft) + "\n\n")) << s.product().log();
        s.press(alice, chat_id{base::raw(alice)}, "Friendlier");
    }

    EXPECT_TRUE(s.hears(alice, "That was the last of five drafts."));
    ASSERT_TRUE(s.settles());
    EXPECT_THAT(s.texts(chat_id{bobs_chat}), testing::SizeIs(1)) << "only hello";
}

TEST(templates, classify_route_answers_questions_and_passes_problems_on) {
    template_scene s;
    s.use("classify_route", {{"tell.chat", bobs_chat}});
    s.product().start();
    s.introduce();

    s.models.script(fake_reply::saying(R"({"categories":["question"]})"));
    s.models.script(fake_reply::saying("Open the settings."));
    s.say(alice, "/support How do I change my password?");
    EXPECT_TRUE(s.hears(alice, "Open the settings.")) << s.product().log();

    s.models.script(fake_reply::saying(R"({"categories":["problem"]})"));
    s.say(alice, "/support The page is broken");
    EXPECT_TRUE(s.hears(alice, "I told our team"));
    EXPECT_TRUE(s.hears(bob, "A problem of user 7001:\n/support The page is broken"));

    s.models.script(fake_reply::saying(R"({"categories":[]})"));
    s.say(alice, "/support hm");
    EXPECT_TRUE(s.hears(alice, "I am not sure what you need."));
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

TEST(templates, form_triage_tells_what_is_urgent_and_keeps_the_rest) {
    template_scene s;
    s.use("form_triage", {{"tell.bot", "main"}, {"tell.chat", bobs_chat}});
    s.product().start();
    s.introduce();
    auto const fill = [&](std::string const& category, std::string const& message) {
        s.models.script(fake_reply::saying(R"({"categories":[")" + category + R"("]})"));
        auto const page = get(s.product().port(), "/forms/contact").body;
        std::string const before = R"(name="postrider-submission" value=")";
        auto const key = page.find(before) + before.size();
        return post(
            s.product(),
            "/forms/contact",
            "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n",
            "name=Eve&email=eve%40example.org&message=" + message +
                "&postrider-submission=" + page.substr(key, page.find('"', key) - key)
        );
    };
    auto const stored_messages =
        "select coalesce(string_agg(value->>'message', ',' order by key::bigint), '') "
        "from postrider.flow_data where flow = 'form_triage' and name = 'requests'";

    EXPECT_THAT(fill("urgent", "down").body, HasSubstr("We will write to you soon."));
    EXPECT_TRUE(s.hears(bob, "Urgent, from Eve (eve@example.org):\ndown")) << s.product().log();
    ASSERT_TRUE(s.settles());
    fill("normal", "thanks");
    ASSERT_TRUE(s.settles());
    fill("advertising", "buy");
    ASSERT_TRUE(s.settles());

    EXPECT_EQ(s.value(stored_messages), "down,thanks");
    EXPECT_THAT(s.texts(chat_id{bobs_chat}), testing::SizeIs(2)) << "hello, and what is urgent";
}

TEST(templates, shipping_agent_gets_prices_from_the_other_flow) {
    template_scene s;
    auto const early = s.product().run({"flows", "new", "agent", "--template", "shipping_agent"});
    EXPECT_EQ(early.code, 0);
    EXPECT_THAT(early.out, HasSubstr("there is no flow \"shipping_cost\""));
    s.use("shipping_cost");
    s.use("shipping_agent");
    s.product().start();
    s.introduce();
    fake_tool_call call;
    call.name = "shipping_cost";
    call.arguments = {{"country", "FR"}, {"weight", 3}};
    s.models.script(fake_reply::calling({call}));
    s.models.script(fake_reply::saying("It costs 12 EUR."));

    s.say(alice, "/shipping 3 kg to France?");

    EXPECT_TRUE(s.hears(alice, "It costs 12 EUR.")) << s.product().log();
    EXPECT_THAT(s.prompt(), HasSubstr(R"(\"price\":12)")) << "what the model read";
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

TEST(templates, the_shipped_agents_answer_under_another_name) {
    template_scene s{{{"POSTRIDER_OWNERS", base::to_string(alice)}}};
    s.use("assistant", {}, "mine");
    s.use("todo", {}, "errands");
    s.product().start();
    s.models.script(fake_reply::saying("Good morning."));

    auto const greeting = s.product().run({"chat", "--agent", "mine", "--say", "hello"});
    s.models.always(fake_reply::failing(401));
    auto const task = s.product().run({"chat", "--agent", "errands", "--say", "add buy milk"});

    EXPECT_THAT(greeting.out, HasSubstr("Good morning.")) << s.product().log();
    EXPECT_THAT(task.out, HasSubstr("Created task: buy milk")) << "by rules";
}

} // namespace
} // namespace postrider::tests::templates_test
