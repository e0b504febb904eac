#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view markdown_types[]{"markdown"};

void map_markdown(translation& in) {
    if (in.word("mode", "htmlToMarkdown") != "htmlToMarkdown")
        return in.become_placeholder("it wrote Markdown as HTML");
    in.become("html.markdown");
    if (!in.put("html", "html"))
        in.put_value("html", boost::json::value(in_braces(in.field("html", "data"))));
    in.put_value("field", boost::json::value(in.word("destinationKey", "data")));
}

} // namespace

extern constinit mapping const markdown_mapping{.types = markdown_types, .map = map_markdown};

} // namespace postrider::agent::flow::n8n
