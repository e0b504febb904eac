#include "agent/flow/node_type.hpp"
#include "agent/formats/css_selector.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Of all values of a page together: four times the largest page.
constexpr std::size_t most_extracted_bytes = 4 * formats::most_html_bytes;
// Reading a page's text is slower than comparing it.
constexpr std::size_t text_bytes_at_once = 4;

// Takes values out of a page, with one budget for all of them.
class page_values {
public:
    explicit page_values(formats::html_tree page) : page_(std::move(page)) {
        sizes_.reserve(page_.size() + 1);
        sizes_.push_back(0);
        for (auto const& node : page_) {
            auto size = sizes_.back() + node.text.size();
            for (auto const& [key, text] : node.attributes) size += key.size() + text.size();
            sizes_.push_back(size);
        }
    }

    base::result<json::value> take(base::json_reader const& value) {
        bool const takes_all = value["all"].boolean_or(false);
        auto const elements = select(value["selector"].string(), takes_all ? most_items : 1);
        if (!elements) return elements.error();
        base::result<formats::left_out> without = formats::left_out{};
        if (auto const selector = value["without"].string_or(""); !selector.empty())
            without = select(selector, page_.size());
        if (!without) return without.error();
        json::array taken;
        for (auto const element : *elements) {
            auto text = take_from(element, value, *without);
            if (auto const* string = text.if_string()) bytes_ += string->size();
            if (bytes_ > most_extracted_bytes || budget_.is_over())
                return base::error(
                    base::errc::too_large,
                    "the values are much longer than the page: take smaller elements"
                );
            taken.push_back(std::move(text));
        }
        if (takes_all) return json::value(std::move(taken));
        return taken.empty() ? json::value() : std::move(taken.front());
    }

private:
    base::result<std::vector<std::size_t>> select(std::string_view selector, std::size_t most) {
        auto const parsed = formats::css_selector::parse(selector);
        if (!parsed) return parsed.error();
        return parsed->select(page_, most, budget_);
    }

    json::value take_from(
        std::size_t element, base::json_reader const& value, formats::left_out const& without
    ) {
        auto const take = value["take"].string_or("text");
        if (take == "attribute") {
            auto const* attribute = page_[element].attribute(value["attribute"].string_or(""));
            return attribute ? json::value(*attribute) : json::value();
        }
        auto const end = page_[element].end;
        auto const bytes = sizes_[end] - sizes_[element];
        if (!budget_.spend(end - element + bytes / text_bytes_at_once)) return {};
        if (take == "html") return json::value(html_within(page_, element, without));
        return json::value(text_within(page_, element, without));
    }

    formats::html_tree page_;
    std::vector<std::size_t> sizes_; // of all texts and attributes before each node
    formats::work_budget budget_{formats::most_page_work};
    std::size_t bytes_ = 0;
};

base::result<outputs> extract_html(item_run const& run) {
    json::value const parameters(run.parameters);
    base::json_reader const reader(parameters);
    auto page = formats::read_html(reader["html"].string());
    if (!page) return page.error();
    page_values values(std::move(*page));
    auto const* members = run.input.json.if_object();
    auto fields = members ? *members : json::object{};
    for (auto const& value : reader["values"].items()) {
        auto taken = values.take(value);
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
