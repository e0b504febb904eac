#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view html_types[]{"html", "htmlExtract"};

void map_html(translation& in) {
    auto const operation = in.word(
        "operation",
        in.node().short_type() == "htmlExtract" ? "extractHtmlContent" : "generateHtmlTemplate"
    );
    if (operation != "generateHtmlTemplate")
        return in.become_placeholder("it read parts of a page by CSS selectors");
    in.become("set");
    auto const* html = in.find("html");
    in.put_value(
        "fields",
        boost::json::object{{"html", html ? in.converted("fields", *html) : boost::json::value("")}}
    );
    in.put_value("keep_others", false);
}

} // namespace

extern constinit mapping const html_mapping{.types = html_types, .map = map_html};

} // namespace postrider::agent::flow::n8n
