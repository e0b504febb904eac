#include "agent/flow/nodes/http_pages.hpp"

#include "agent/expression/expression.hpp"
#include "agent/flow/nodes/http_body.hpp"
#include "base/json/json.hpp"
#include "net/http_client.hpp"

#include <boost/json/array.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;
using base::errc;
using base::error;

namespace {

// Of an expression about an answer, $json is the answer.
class answer_names final : public scope {
public:
    explicit answer_names(json::object const& answer) : answer_(answer) {}
    json::value const* variable(std::string_view name) const override {
        return name == "$json" ? &answer_ : nullptr;
    }
    json::value const* node(std::string_view) const override { return nullptr; }

private:
    json::value answer_;
};

base::result<json::value> found_in(json::object const& answer, std::string_view source) {
    auto const parsed = expression::parse(source);
    if (!parsed) return error(errc::invalid, to_text(parsed.error()));
    auto value = parsed->evaluate(answer_names(answer));
    if (!value) return error(errc::invalid, to_text(value.error()));
    return std::move(*value);
}

bool is_end(json::value const& next) {
    auto const* text = next.if_string();
    return next.is_null() || (next.is_bool() && !next.get_bool()) || (text && text->empty());
}

// Of `<https://example.org/?page=2>; rel="next", <…>; rel="last"`.
json::value next_link(json::object const& answer) {
    json::value const root(answer);
    auto const link = base::json_reader{root}["headers"]["link"].string_or("");
    std::string_view rest = link;
    for (;;) {
        auto const open = rest.find('<');
        auto const close = rest.find('>', open == rest.npos ? 0 : open);
        if (open == rest.npos || close == rest.npos) return nullptr;
        auto const target = rest.substr(open + 1, close - open - 1);
        rest.remove_prefix(close + 1);
        auto const end = rest.find('<');
        auto const attributes = rest.substr(0, end);
        bool const is_next = attributes.find("rel=\"next\"") != attributes.npos ||
                             attributes.find("rel=next") != attributes.npos;
        if (is_next) return json::value(target);
    }
}

base::result<net::base_url> page_address(std::string_view url) {
    auto const read = boost::urls::parse_uri({url.data(), url.size()});
    if (!read) return error(errc::invalid, "not a URL");
    net::base_url address;
    address.origin = std::string(read->scheme()) + "://" + std::string(read->encoded_authority());
    address.path = std::string(read->encoded_path());
    return address;
}

// What the link of that page means. Headers, credential and body go there too, so it must be of the origin
// that they were meant for: the first URL's, wherever redirects have led since.
base::result<std::string> link_from(
    std::string_view first_url, std::string_view page, std::string_view link
) {
    auto const first = page_address(first_url);
    auto const current = page_address(page);
    if (!first) return first.error();
    if (!current) return current.error();
    std::string url(link);
    if (!boost::urls::parse_uri({link.data(), link.size()})) {
        auto const target = net::target_within(*current, link);
        if (!target) return error(errc::refused, "the next page " + target.error().detail);
        url = current->origin + *target;
    }
    auto const target = net::target_within(*first, url);
    if (!target) return error(errc::refused, "the next page " + target.error().detail);
    return first->origin + *target;
}

std::string text_at(json::object const& parameters, std::string_view name) {
    auto const* text = parameters.if_contains(name);
    return text && text->is_string() ? std::string(text->get_string()) : std::string();
}

std::string with_parameter(std::string const& url, std::string_view name, json::value value) {
    return with_query(url, encoded_form({{name, std::move(value)}}).value());
}

} // namespace

base::result<items> items_in(json::object const& answer, std::string_view items_expression) {
    json::value body = answer.at("body");
    if (!items_expression.empty()) {
        auto found = found_in(answer, items_expression);
        if (!found) return found.error();
        body = std::move(*found);
    }
    items all;
    if (auto* list = body.if_array())
        for (auto& element : *list) {
            if (all.size() > most_items) break; // is refused as an output
            all.push_back({std::move(element)});
        }
    else if (body.is_object())
        all.push_back({std::move(body)});
    else
        all.push_back({json::object{{"body", std::move(body)}}});
    return all;
}

http_pages::http_pages(json::object const& parameters, std::string first_url)
    : parameters_(parameters),
      kind_(text_at(parameters, "pages")),
      first_url_(std::move(first_url)),
      number_(parameters.at("first_page").to_number<std::int64_t>()),
      pages_left_(parameters.at("most_pages").to_number<std::int64_t>()) {
    url_ = first_url_;
    if (kind_ == "number")
        url_ = with_parameter(first_url_, text_at(parameters, "page_parameter"), number_);
}

base::result<bool> http_pages::go_on(json::object const& answer, std::size_t item_count) {
    if (kind_ == "single" || --pages_left_ <= 0) return false;
    auto const source = text_at(parameters_, "next");
    auto next = source.empty() ? next_link(answer) : json::value(nullptr);
    if (!source.empty()) {
        auto found = found_in(answer, source);
        if (!found) return found.error();
        next = std::move(*found);
        if (is_end(next)) return false;
    }
    return kind_ == "number" && item_count == 0 ? false : follow(answer, next);
}

base::result<bool> http_pages::follow(json::object const& answer, json::value const& next) {
    auto const parameter = text_at(parameters_, "page_parameter");
    if (kind_ == "number") {
        number_ += parameters_.at("page_step").to_number<std::int64_t>();
        url_ = with_parameter(first_url_, parameter, number_);
        return true;
    }
    if (is_end(next)) return false;
    if (kind_ == "cursor") {
        if (next.is_structured())
            return error(errc::invalid, "the cursor is neither text nor number");
        url_ = with_parameter(first_url_, parameter, next);
        return true;
    }
    if (!next.is_string()) return error(errc::invalid, "the next page's URL is no text");
    auto link = link_from(first_url_, answer.at("url").as_string(), next.as_string());
    if (!link) return link.error();
    url_ = std::move(*link);
    return true;
}

} // namespace postrider::agent::flow
