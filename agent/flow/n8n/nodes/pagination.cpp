#include "agent/flow/n8n/nodes/pagination.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <charconv>

namespace postrider::agent::flow::n8n {

namespace {

constexpr double most_pages = 100;

// What stands in "={{ … }}", if that is the whole text.
std::optional<std::string> only_expression(std::string_view text) {
    if (!is_template(text)) return std::nullopt;
    auto pieces = pieces_of(text);
    if (pieces.size() != 1 || !pieces.front().is_expression) return std::nullopt;
    return std::move(pieces.front().text);
}

// An expression over the answer alone, as `next` takes it. Nothing: it needs more, or is no such expression.
std::optional<std::string> of_answer(translation& in, std::string_view text) {
    constexpr std::string_view there = "$response.body", here = "$json.body";
    auto source = only_expression(text);
    if (!source || source->find(there) == source->npos || !in.renamed_here().empty())
        return std::nullopt;
    for (std::string_view other : {"$json", "$(", "$node", "$input", "$pageCount", "$request"})
        if (source->find(other) != source->npos) return std::nullopt;
    for (auto at = source->find(there); at != source->npos; at = source->find(there, at + 1))
        source->replace(at, there.size(), here);
    auto const done = in.operand("next", boost::json::value("={{" + *source + "}}"));
    return done ? std::optional(done->source) : std::nullopt;
}

// "$pageCount", which begins with 0, and a number that is added to it or multiplied with it.
struct page_number {
    std::int64_t first = 0;
    std::int64_t step = 1;
};
std::optional<page_number> page_number_of(std::string_view text) {
    auto source = only_expression(text).value_or("");
    std::erase(source, ' ');
    constexpr std::string_view name = "$pageCount";
    if (!source.starts_with(name)) return std::nullopt;
    auto const rest = std::string_view(source).substr(name.size());
    if (rest.empty()) return page_number{};
    std::int64_t number = 0;
    auto const* const end = rest.data() + rest.size();
    auto const read = std::from_chars(rest.data() + 1, end, number);
    if (read.ec != std::errc{} || read.ptr != end || number < 1 || number > 1'000'000)
        return std::nullopt;
    if (rest.front() == '+') return page_number{.first = number};
    if (rest.front() == '*') return page_number{.step = number};
    return std::nullopt;
}

// The only parameter that changes from page to page, of the query.
struct page_parameter {
    std::string name;
    std::string value;
};
std::optional<page_parameter> page_parameter_of(translation const& in, std::string const& place) {
    auto const* list = in.find(place + ".parameters.parameters");
    if (!list || !list->is_array() || list->get_array().size() != 1) return std::nullopt;
    auto const* entry = list->get_array().front().if_object();
    if (!entry) return std::nullopt;
    auto const word = [&](std::string_view key, std::string_view usual) {
        auto const* value = entry->if_contains(key);
        return value && value->is_string() ? std::string(value->get_string()) : std::string(usual);
    };
    if (word("type", "qs") != "qs") return std::nullopt;
    page_parameter parameter{word("name", ""), word("value", "")};
    return parameter.name.empty() || is_template(parameter.name) ? std::nullopt
                                                                 : std::optional(parameter);
}

bool put_way(translation& in, std::string const& place) {
    if (in.word(place + ".paginationMode") == "responseContainsNextURL") {
        auto const* address = in.find(place + ".nextURL");
        auto const next =
            address && address->is_string() ? of_answer(in, address->get_string()) : std::nullopt;
        if (!next) return false;
        in.put_value("pages", "link");
        in.put_value("next", boost::json::value(*next));
        return true;
    }
    auto const parameter = page_parameter_of(in, place);
    if (!parameter) return false;
    bool const ends_empty =
        in.word(place + ".paginationCompleteWhen", "responseIsEmpty") == "responseIsEmpty";
    if (auto const number = page_number_of(parameter->value); number && ends_empty) {
        in.put_value("pages", "number");
        in.put_value("first_page", number->first);
        if (number->step != 1) in.put_value("page_step", number->step);
    } else if (auto next = of_answer(in, parameter->value)) {
        in.put_value("pages", "cursor");
        in.put_value("next", boost::json::value(*next));
    } else {
        return false;
    }
    in.put_value("page_parameter", boost::json::value(parameter->name));
    return true;
}

} // namespace

void put_pages(translation& in) {
    if (!in.find("options.pagination")) return;
    std::string const place = in.find("options.pagination.pagination")
                                  ? "options.pagination.pagination"
                                  : "options.pagination";
    if (in.word(place + ".paginationMode") == "off") return;
    if (!put_way(in, place))
        return in.warn(
            "n8n_parameter",
            "pages",
            "n8n asked for further pages",
            "say with `pages` and `next` where they are",
            place
        );
    auto const most = in.number(place + ".maxRequests");
    bool const is_limited = most && *most >= 1;
    in.put_value(
        "most_pages",
        static_cast<std::int64_t>(is_limited ? std::min(*most, most_pages) : most_pages)
    );
}

} // namespace postrider::agent::flow::n8n
