#include "agent/flow/watch/speakers.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::speakers_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::flow_text;
using tests::link_text;
using tests::node_text;

catalog const& types() {
    static catalog const all = builtin_types();
    return all;
}

// Of a flow that sends this text, as it stands in JSON, behind its agent.
std::set<std::string> speakers_with(std::string const& text) {
    auto const flow = flow_text(
        node_text("in", "chat") + "," + node_text("agent", "agent") + "," +
            node_text("model", "model") + "," +
            node_text("out", "telegram.send", "\"text\":\"" + text + '"'),
        link_text("in", "agent") + "," + link_text("agent", "out") + "," +
            link_text("model", "agent", R"("type":"ai_model")")
    );
    auto compilation = graph::compile(tests::read_flow(flow), types());
    return speakers_of(*std::get<std::shared_ptr<graph const>>(compilation));
}

TEST(speakers, are_agents_whose_text_goes_out_as_it_stands) {
    for (auto const* same :
         {"{{ $json.text }}", "{{$json.text}}", " {{ $json . text }} ", R"({{ $json[\"text\"] }})"})
        EXPECT_THAT(speakers_with(same), ElementsAre("agent")) << same;
}

TEST(speakers, are_not_those_whose_text_something_may_change) {
    for (auto const* changed :
         {"{{ $json.text + '!' }}",
          "He says: {{ $json.text }}",
          "{{ $json.text }}{{ $json.text }}",
          "{{ $json.name }}",
          "$json.text"})
        EXPECT_THAT(speakers_with(changed), IsEmpty()) << changed;
}

} // namespace
} // namespace postrider::agent::flow::speakers_test
