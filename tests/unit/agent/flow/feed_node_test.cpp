// Feeds of a scripted server, read by a node and by a trigger.
#include "net/guarded_client.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_data_table.hpp"
#include "tests/unit/net/client_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace postrider::tests::feed_node_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string feed_of(std::vector<std::string> const& ids) {
    std::string text = "<rss version='2.0'><channel>";
    for (auto const& id : ids)
        text += fmt::format("<item><guid>{}</guid><title>About {}</title></item>", id, id);
    return ok(text + "</channel></rss>");
}

std::string status(std::string_view line) {
    return fmt::format("HTTP/1.1 {}\r\nContent-Length: 0\r\n\r\n", line);
}

struct feed_world {
    // The client admits every address, unless it is guarded.
    feed_world(
        std::string const& type,
        json::object parameters,
        std::vector<scripted_server::answers> scripts,
        bool is_guarded = false
    )
        : w(flow_builder("news").trigger("In", "manual").text()),
          server(w.io.executor(), std::move(scripts)),
          web(net::make_http_client(
              w.io.executor(), is_guarded ? net::guarded_options() : net::http_client_options{}
          )) {
        parameters["url"] = server.origin() + "/feed";
        flow_builder news("news");
        if (type == "feed")
            news.trigger("News", type, std::move(parameters));
        else
            news.trigger("In", "manual").node("News", type, std::move(parameters));
        news.node(
            "Title", "set", {{"fields", {{"t", "{{ $json.title }}"}}}, {"keep_others", false}}
        );
        w.graph = compiled(news.text());
        w.adjust = [this](flow::node_services& services) { services.web = &web; };
    }
    ~feed_world() {
        web.close();
        w.io.run(server.finish());
    }

    // The titles that came through, or how it failed.
    std::string run() {
        auto const outcome = w.run(json::object{});
        if (outcome.state != queue::job_state::completed) return to_string(outcome.error);
        std::string titles;
        for (auto const& item : outcome.output.at("items").as_array())
            titles += std::string(item.at("t").as_string()) + ";";
        return titles;
    }
    // The next execution of the flow.
    void next() {
        w.job.id = job_id{base::raw(w.job.id) + 1};
        w.record.steps.clear();
    }

    flow_world w;
    flow_data_table table{w};
    scripted_server server;
    net::guarded_client web;
};

TEST(feed_read, makes_an_item_of_each_entry) {
    feed_world world("feed.read", {{"limit", 2}}, {{feed_of({"a", "b", "c"})}});

    EXPECT_EQ(world.run(), "About a;About b;");
    EXPECT_EQ(world.run(), "About a;About b;") << "of the record: the server is not asked again";
    EXPECT_THAT(world.server.requests(), SizeIs(1));
}

TEST(feed_read, is_bounded_for_all_items_together) {
    std::vector<std::string> ids;
    for (int n = 0; n < 400; ++n) ids.push_back(std::to_string(n));
    auto const feed = feed_of(ids);
    feed_world world("feed.read", {{"limit", 500}}, {{feed, feed, feed}});
    flow::execution_input input;
    input.flow = "news";
    input.version = 1;
    input.pinned["In"] = json::array{{{"n", 1}}, {{"n", 2}}, {{"n", 3}}, {{"n", 4}}};

    auto const outcome = world.w.run(input);

    EXPECT_THAT(to_string(outcome.error), HasSubstr("more than 1000 entries"));
    EXPECT_THAT(world.server.requests(), SizeIs(3)) << "the fourth is not asked";
}

TEST(feed_read, says_why_there_is_none) {
    EXPECT_THAT(
        feed_world("feed.read", {}, {{status("404 Not Found")}}).run(),
        AllOf(HasSubstr("refused"), HasSubstr("answered 404"))
    );
    EXPECT_THAT(feed_world("feed.read", {}, {{ok("<html/>")}}).run(), HasSubstr("no RSS"));
    EXPECT_THAT(
        feed_world("feed.read", {}, {{status("503 Busy"), feed_of({"a"})}}).run(), "About a;"
    ) << "it is asked again";
}

TEST(feed_read, reaches_public_addresses_alone) {
    feed_world world("feed.read", {}, {{feed_of({"a"})}}, true);

    EXPECT_THAT(world.run(), HasSubstr("refused"));
    EXPECT_THAT(world.server.requests(), IsEmpty());
}

TEST(feed_trigger, passes_on_what_is_new_since_the_last_execution) {
    feed_world world("feed", {}, {{feed_of({"b", "a"}), feed_of({"d", "c", "b"}), feed_of({"d"})}});

    EXPECT_EQ(world.run(), "") << "the first time it only remembers";
    world.next();
    EXPECT_EQ(world.run(), "About c;About d;") << "oldest first";
    world.next();
    EXPECT_EQ(world.run(), "");
}

TEST(feed_trigger, leaves_entries_beyond_its_limit_to_the_next_execution) {
    feed_world world(
        "feed",
        {{"first", "all"}, {"limit", 2}},
        {{feed_of({"e", "d", "c", "b", "a"}),
          feed_of({"f", "e", "d", "c", "b"}),
          feed_of({"f", "e", "d", "c"}),
          feed_of({"f", "e"})}}
    );

    EXPECT_EQ(world.run(), "About a;About b;") << "the oldest";
    world.next();
    EXPECT_EQ(world.run(), "About c;About d;");
    world.next();
    EXPECT_EQ(world.run(), "About e;About f;");
    world.next();
    EXPECT_EQ(world.run(), "");
}

TEST(feed_trigger, remembers_in_the_commit_of_its_step) {
    feed_world world("feed", {{"first", "all"}}, {{feed_of({"a"}), feed_of({"a"})}});

    EXPECT_TRUE(world.w.run_and_die(1));
    EXPECT_THAT(world.table.rows(), IsEmpty());
    EXPECT_EQ(world.run(), "About a;");
    EXPECT_THAT(world.table.rows(), SizeIs(1));
    EXPECT_EQ(world.run(), "About a;") << "a later run of the same execution";
    EXPECT_THAT(world.server.requests(), SizeIs(2));
}

TEST(feed_trigger, remembers_nothing_where_the_feed_cannot_be_read) {
    feed_world world("feed", {}, {{status("404 Not Found")}});

    EXPECT_THAT(world.run(), HasSubstr("answered 404"));
    EXPECT_THAT(world.table.rows(), IsEmpty());
}

} // namespace
} // namespace postrider::tests::feed_node_test
