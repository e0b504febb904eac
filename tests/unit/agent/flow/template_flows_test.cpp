// Templates whose nodes ask servers, with the values that a person fills in, against a scripted server.
#include "net/guarded_client.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_template.hpp"
#include "tests/unit/agent/configured_tool.hpp"
#include "tests/unit/agent/flow/flow_data_table.hpp"
#include "tests/unit/net/client_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace postrider::tests::template_flows_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string typed(std::string_view type, std::string const& body) {
    return fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}",
        type,
        body.size(),
        body
    );
}

class template_world {
public:
    // `own`: what a person fills in, beside the bot and the chat. The server's answers come in
    // their order.
    template_world(
        std::string const& name,
        std::string const& sender,
        std::string const& asking,
        std::string const& target,
        scripted_server::answers answers,
        filled_in own = {}
    )
        : w(flow_builder("none").trigger("In", "manual").text()),
          server(w.io.executor(), {std::move(answers)}),
          web(net::make_http_client(w.io.executor(), {}),
              net::make_http_client(w.io.executor(), net::trusting_options())) {
        own[sender + ".bot"] = "fern";
        own[sender + ".chat"] = 7;
        own[asking + ".url"] = server.origin() + target;
        w.graph = compiled(fill_in(read_template(name), own));
        w.table.bots = {{"fern", bot_id{1}}};
        w.tools["http_request"] = configured("http_request", {{"allowed_hosts", "127.0.0.1"}});
        net::credential key;
        key.value = base::secret("hunter2-and-more");
        key.hosts = {"127.0.0.1"};
        credentials.emplace("shop", std::move(key));
        w.adjust = [this](flow::node_services& services) {
            services.web = &web;
            services.credentials = &credentials;
        };
    }
    ~template_world() {
        web.close();
        w.io.run(server.finish());
    }

    void run() {
        auto const outcome = w.run();
        EXPECT_EQ(outcome.state, queue::job_state::completed) << to_string(outcome.error);
    }
    // The next execution of the flow.
    void next() {
        w.job.id = job_id{base::raw(w.job.id) + 1};
        w.job.input = nullptr;
        w.record.steps.clear();
        run();
    }
    // What chat 7 got; nothing went to another one.
    std::vector<std::string> texts() const {
        std::vector<std::string> texts;
        for (auto const& message : w.chat.sent) {
            EXPECT_EQ(message.to.chat, chat_id{7});
            texts.push_back(message.content.text);
        }
        return texts;
    }
    std::string const& prompt(std::size_t n) const {
        return w.model.requests.at(n).messages.back().content;
    }

    flow_world w;
    flow_data_table table{w};
    scripted_server server;
    net::guarded_client web;
    net::credentials credentials;
};

std::string feed_of(std::vector<std::string> const& ids) {
    std::string text = "<rss version='2.0'><channel>";
    for (auto const& id : ids)
        text += fmt::format("<item><guid>{}</guid><title>About {}</title></item>", id, id);
    return typed("application/rss+xml", text + "</channel></rss>");
}

TEST(rss_digest, sends_each_entry_in_one_digest) {
    auto const old = feed_of({"b", "a"});
    auto const newer = feed_of({"c", "b", "a"});
    template_world world("rss_digest", "send", "morning", "/feed", {old, old, newer, newer});
    world.w.model.script = {says("Two entries."), says("One entry.")};

    EXPECT_TRUE(world.w.run_and_die(1)) << "before it has remembered them";
    world.run();
    world.next();
    world.next();

    EXPECT_THAT(world.texts(), ElementsAre("Two entries.", "One entry."));
    ASSERT_THAT(world.w.model.requests, SizeIs(2));
    EXPECT_THAT(world.prompt(0), AllOf(HasSubstr("About a"), HasSubstr("About b")));
    EXPECT_THAT(world.prompt(1), AllOf(HasSubstr("About c"), Not(HasSubstr("About b"))));
}

TEST(page_watch, tells_only_when_the_page_has_changed) {
    auto const page = [](std::string_view price) {
        return typed("text/html", fmt::format("<p>Tea <b>{} €</b></p>", price));
    };
    template_world world(
        "page_watch",
        "tell",
        "page",
        "/tea",
        {page("5"), page("5"), page("6"), page("6"), page("6")}
    );

    world.run();
    world.next();
    EXPECT_THAT(world.texts(), IsEmpty()) << "it remembers, and nothing has changed";
    world.w.chat.failures = {base::error(base::errc::refused, "the chat is gone")};
    world.w.job.id = job_id{900};
    world.w.record.steps.clear();
    EXPECT_EQ(world.w.run().state, queue::job_state::failed);
    world.w.chat.sent.clear();
    world.next();
    EXPECT_THAT(
        world.texts(), ElementsAre(HasSubstr("has changed: " + world.server.origin() + "/tea"))
    ) << "what could not be told is not forgotten";
    world.next();
    EXPECT_THAT(world.texts(), SizeIs(1));
}

TEST(nightly_report, asks_with_the_credential_and_reports) {
    template_world world(
        "nightly_report",
        "send",
        "api",
        "/orders",
        {typed("application/json", R"([{"order": 7, "total": 40}, {"order": 8, "total": 250}])"),
         typed("application/json", "[]")},
        {{"api.credential", "shop"}}
    );
    world.w.model.script = {says("Two orders, 290 in all.")};

    world.run();
    world.next();

    EXPECT_THAT(world.texts(), ElementsAre("Two orders, 290 in all.")) << "without rows, none";
    EXPECT_THAT(world.prompt(0), AllOf(HasSubstr(R"("order":7)"), HasSubstr(R"("total":250)")));
    EXPECT_THAT(
        world.server.requests().at(0),
        AllOf(HasSubstr("GET /orders "), HasSubstr("Authorization: Bearer hunter2-and-more"))
    );
}

// Rules that a flow can be trusted with, and no model.
TEST(shipping_cost, calculates_for_every_zone) {
    auto const price = [](std::string_view country, double weight) {
        flow_world w(fill_in(read_template("shipping_cost"), {}));
        auto const outcome = w.run(json::object{{"country", country}, {"weight", weight}});
        return outcome.output.at("items").at(0).at("price").to_number<double>();
    };
    EXPECT_EQ(price("DE", 3), 5.5);
    EXPECT_EQ(price("FR", 3), 12);
    EXPECT_EQ(price("JP", 3), 32);
}

} // namespace
} // namespace postrider::tests::template_flows_test
