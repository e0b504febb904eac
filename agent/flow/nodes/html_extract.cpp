#include "agent/flow/node_type.hpp"
#include "agent/formats/css_selector.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

json::value take_value(
    formats::html_tree const& page,
    std::size_t element,
    base::json_reader const& value,
    formats::left_out const& without
) {
    auto const take = value["take"].string_or("text");
    if (take == "html") return json::value(html_within(page, element, without));
    if (take == "text") return json::value(text_within(page, element, without));
    auto const* attribute = page[element].attribute(value["attribute"].string_or(""));
    return attribute ? json::value(*attribute) : json::value();
}

base::result<std::vector<std::size_t>> select_elements(
    formats::html_tree const& page, std::string_view selector, std::size_t most
) {
    auto const parsed = formats::css_selector::parse(selector);
    if (!parsed) return parsed.error();
    return parsed->select(page, most);
}

base::result<json::value> extract_value(
    formats::html_tree const& page, base::json_reader const& value
) {
    bool const all = value["all"].boolean_or(false);
    auto const elements = select_elements(page, value["selector"].string(), all ? most_items : 1);
    if (!elements) return elements.error();
    base::result<formats::left_out> without = formats::left_out{};
    if (auto const selector = value["without"].string_or(""); !selector.empty())
        without = select_elements(page, selector, page.size());
    if (!without) return without.error();
    json::array taken;
    for (auto const element : *elements)
        taken.push_back(take_value(page, element, value, *without));
    if (all) return json::value(std::move(taken));
    return taken.empty() ? json::value() : std::move(taken.front());
}

base::result<outputs> extract_html(item_run const& run) {
    json::value const parameters(run.parameters);
    base::json_reader const reader(parameters);
    auto const page = formats::read_html(reader["html"].string());
    if (!page) return page.error();
    auto const* members = run.input.json.if_object();
    auto fields = members ? *members : json::object{};
    for (auto const& value : reader["values"].items()) {
        auto taken = extract_value(*page, value);
        if (!taken) return taken.error();
        fields[value["name"].string()] = std::move(*taken);
    }
    return to_main(std::move(fields));
}

} // namespace

behaviour html_extract_behaviour() {
    return pure{extract_html};
}

} // namespace postrider::agent::flow
