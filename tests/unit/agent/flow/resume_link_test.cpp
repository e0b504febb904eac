// Links that end a wait: what they are, and where expressions find them.
#include "agent/flow/parts/resume_link.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::resume_link_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::MatchesRegex;

std::string waiting() {
    return flow_builder("waiting")
        .trigger("In", "manual")
        .node("Link", "set", {{"fields", {{"link", "{{ $execution.resume['Wait for Ann'] }}"}}}})
        .node("Wait for Ann", "wait", {{"resume", "link"}})
        .text();
}

struct resume_link : testing::Test {
    void link_to(std::string base, std::string key) {
        w.adjust = [base, key](flow::node_services& services) {
            services.links = {base, base::secret(key)};
        };
    }
    json::value ended() {
        auto const outcome = w.run();
        if (outcome.state != queue::job_state::completed) return json::value(outcome.error.detail);
        return outcome.output.at("items").at(0);
    }
    std::string link() { return std::string(ended().at("link").as_string()); }

    flow_world w{waiting()};
};

// covers: X.23
TEST_F(resume_link, names_the_job_and_has_a_code_for_the_node) {
    link_to("https://a.example", "key");
    w.events["postrider.resume"] = {{"query", json::object()}, {"body", {{"by", "Ann"}}}};

    auto const item = ended();

    EXPECT_THAT(
        std::string(item.at("link").as_string()),
        MatchesRegex("https://a.example/resume/100/[0-9a-f]{40}")
    );
    EXPECT_EQ(item.at("event").at("body").at("by"), "Ann");
}

TEST_F(resume_link, is_another_one_for_another_key_job_and_life_of_the_job) {
    w.events["postrider.resume"] = json::object();
    link_to("https://a.example", "key");
    auto const first = link();
    EXPECT_EQ(link(), first) << "each run finds the same";
    link_to("https://a.example", "other");
    auto const of_other_key = link();
    link_to("https://a.example", "key");
    w.job.restarts = 1;
    auto const of_next_life = link();

    EXPECT_NE(of_other_key, first);
    EXPECT_NE(of_next_life, first);
    EXPECT_NE(of_next_life, of_other_key);
}

TEST_F(resume_link, needs_an_address_that_people_reach) {
    link_to("", "key");
    EXPECT_THAT(std::string(ended().as_string()), HasSubstr("server.public_url"));
    EXPECT_TRUE(w.record.steps.contains("wait_for_ann/event")) << "what failed once stays failed";
}

// What stands before a wait in a loop gives the link of the wait's next round.
// covers: X.23
TEST(resume_link_in_a_loop, ends_the_wait_of_its_round) {
    flow_world w(flow_text(
        node_text("In", "manual") + "," +
            node_text("Split", "items.split", R"("list":"{{ $json.rows }}","field":"n")") + "," +
            node_text("Loop", "items.loop") + "," +
            node_text("Link", "set", R"("fields":{"link":"{{ $execution.resume.Wait }}"})") + "," +
            node_text("Wait", "wait", R"("resume":"link")"),
        link_text("In", "Split") + "," + link_text("Split", "Loop") + "," +
            link_text("Loop", "Link", R"("output":"each")") + "," + link_text("Link", "Wait") +
            "," + link_text("Wait", "Loop", R"("input":"next")")
    ));
    flow::resume_links const links{"https://a.example", base::secret("key")};
    w.adjust = [&links](flow::node_services& services) { services.links = links; };
    w.events["postrider.resume"] = json::object();

    auto const outcome = w.run(json::parse(R"({"rows":[1,2,3]})"));

    ASSERT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    auto const& items = outcome.output.at("items").as_array();
    ASSERT_THAT(items, testing::SizeIs(3));
    fake_workflow environment{w.job, w.record};
    for (std::size_t round = 0; round < 3; ++round) {
        auto const scope = "Wait/round:" + std::to_string(round + 1);
        EXPECT_THAT(w.log, testing::Contains("wait " + scope + "/event"));
        auto const steps = queue::workflow(environment).scope(scope);
        EXPECT_EQ(items[round].at("link").as_string(), flow::resume_url(links, steps)) << scope;
    }
}

// Nor by an expression.
TEST(wait_parameters, wait_for_no_event_of_the_servers_own) {
    flow_world w(flow_builder("sly")
                     .trigger("In", "manual")
                     .node("Wait", "wait", {{"event", "{{ 'postrider.resume' }}"}, {"match", "x"}})
                     .text());
    w.events["postrider.resume"] = json::object();
    auto const outcome = w.run();
    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(outcome.error.detail, HasSubstr("the server's own"));
}

TEST(wait_parameters, waits_for_one_thing_alone) {
    EXPECT_THROW(
        compiled(flow_builder("both")
                     .trigger("In", "manual")
                     .node("Wait", "wait", {{"resume", "link"}, {"duration", "1h"}})
                     .text()),
        std::runtime_error
    );
}

} // namespace
} // namespace postrider::tests::resume_link_test
