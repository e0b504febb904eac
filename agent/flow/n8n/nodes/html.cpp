#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view html_types[]{"html", "htmlExtract"};

void map_selectors(translation& in) {
    in.become("html.extract");
    boost::json::array values;
    auto const* list = in.find("extractionValues.values");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        if (!entry) continue;
        boost::json::object value;
        for (auto [key, from] :
             {std::pair{"name", "key"},
              {"selector", "cssSelector"},
              {"attribute", "attribute"},
              {"without", "skipSelectors"}})
            if (auto const* text = entry->if_contains(from);
                text && text->is_string() && !text->get_string().empty())
                value[key] = in.converted("values", *text);
        if (!value.contains("name") || !value.contains("selector")) continue;
        auto const* take = entry->if_contains("returnValue");
        if (take && (*take == "html" || *take == "attribute")) value["take"] = *take;
        auto const* all = entry->if_contains("returnArray");
        if (all && all->is_bool() && all->get_bool()) value["all"] = true;
        values.push_back(std::move(value));
    }
    in.put_value("values", std::move(values));
    auto const field = in.word("dataPropertyName", "data");
    in.put_value("html", boost::json::value(in_braces(in.field("html", field))));
}

void map_html(translation& in) {
    auto const operation = in.word(
        "operation",
        in.node().short_type() == "htmlExtract" ? "extractHtmlContent" : "generateHtmlTemplate"
    );
    if (operation == "extractHtmlContent") return map_selectors(in);
    if (operation != "generateHtmlTemplate")
        return in.become_placeholder("it wrote its items as a table of HTML");
    in.become("set");
    // The node itself reads the braces of its template, so that they need no "=" in front.
    auto html = in.word("html");
    if (html.find("{{") != html.npos) html.insert(0, "=");
    in.put_value(
        "fields", boost::json::object{{"html", in.converted("fields", boost::json::value(html))}}
    );
    in.put_value("keep_others", false);
}

} // namespace

extern constinit mapping const html_mapping{.types = html_types, .map = map_html};

} // namespace postrider::agent::flow::n8n
