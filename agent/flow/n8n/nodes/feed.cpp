#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view feed_types[]{"rssFeedRead", "rssFeedReadTrigger"};

void map_feed(translation& in) {
    bool const is_trigger = in.node().short_type() == "rssFeedReadTrigger";
    in.become(is_trigger ? "feed" : "feed.read");
    if (!in.put("url", is_trigger ? "feedUrl" : "url"))
        in.put_value("url", "https://example.org/feed.xml");
}

} // namespace

extern constinit mapping const feed_mapping{.types = feed_types, .map = map_feed};

} // namespace postrider::agent::flow::n8n
