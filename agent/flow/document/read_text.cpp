#include "agent/flow/document/read_text.hpp"

#include "agent/flow/document/text_handler.hpp"
#include "base/json/nul.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

problem too_large(std::size_t bytes, std::size_t most) {
    return {
        .code = "too_large",
        .message = fmt::format("the definition has {} bytes; {} are allowed", bytes, most),
        .hint = "keep large data out of the flow",
    };
}

problem too_deep(std::string path, std::size_t most) {
    return {
        .code = "too_deep",
        .path = std::move(path),
        .message = fmt::format("the definition is nested deeper than {} levels", most),
    };
}

problem not_json(std::string_view text, std::size_t at, std::string_view reason) {
    auto const before = text.substr(0, std::min(at, text.size()));
    auto const line = 1 + std::ranges::count(before, '\n');
    auto const column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 = 0
    return {
        .code = "not_json",
        .message = fmt::format("line {}, column {}: {}", line, column, reason),
        .hint = "the definition is one JSON object",
    };
}

bool bounded(
    json::object const& document, std::string_view member, std::size_t most, problem_list& problems
) {
    auto const* list = document.if_contains(json::string_view(member.data(), member.size()));
    if (!list || !list->is_array() || list->get_array().size() <= most) return true;
    problems.add({
        .code = fmt::format("too_many_{}", member),
        .path = below("", member),
        .message = fmt::format("a flow has at most {} {}", most, member),
        .hint = "move parts of it into flows of their own and call them",
    });
    return false;
}

bool deeper_than(json::value const& value, std::size_t levels) {
    if (value.is_structured() && levels == 0) return true;
    if (auto const* array = value.if_array())
        return std::ranges::any_of(*array, [&](json::value const& item) {
            return deeper_than(item, levels - 1);
        });
    if (auto const* object = value.if_object())
        return std::ranges::any_of(*object, [&](auto const& member) {
            return deeper_than(member.value(), levels - 1);
        });
    return false;
}

void find_nul(json::value const& value, std::string const& path, problem_list& problems) {
    if (auto const* text = value.if_string()) {
        if (base::has_nul(text->subview())) problems.add(nul_at(path));
    } else if (auto const* array = value.if_array()) {
        for (std::size_t i = 0; i < array->size(); ++i)
            find_nul((*array)[i], below(path, i), problems);
    } else if (auto const* object = value.if_object()) {
        for (auto const& [key, member] : *object) {
            if (base::has_nul(key)) problems.add(nul_at(below(path, key)));
            find_nul(member, below(path, key), problems);
        }
    }
}

} // namespace

std::optional<json::value> read_text(
    std::string_view text, definition_limits const& limits, problem_list& problems
) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    if (text.size() > limits.bytes) {
        problems.add(too_large(text.size(), limits.bytes));
        return std::nullopt;
    }
    json::parse_options options;
    options.max_depth = limits.depth;
    json::basic_parser<text_handler> parser(options, limits, problems);
    json::error_code ec;
    auto const read = parser.write_some(false, text.data(), text.size(), ec);
    if (!ec && read < text.size()) ec = json::error::extra_data;
    if (!ec) return parser.handler().value();
    if (ec == json::error::too_deep)
        problems.add(too_deep(parser.handler().path(), limits.depth));
    else if (ec != json::error::array_too_large)
        problems.add(not_json(text, read, ec.message()));
    return std::nullopt;
}

problem nul_at(std::string path) {
    return {
        .code = "invalid_text",
        .path = std::move(path),
        .message = base::nul_refusal("the text").detail,
        .hint = "leave it out",
    };
}

bool within_limits(
    json::value const& document, definition_limits const& limits, problem_list& problems
) {
    if (deeper_than(document, limits.depth)) {
        problems.add(too_deep("", limits.depth));
        return false;
    }
    find_nul(document, "", problems);
    auto const* members = document.if_object();
    if (!members) return true;
    bool const nodes = bounded(*members, "nodes", limits.nodes, problems);
    return bounded(*members, "connections", limits.connections, problems) && nodes;
}

} // namespace postrider::agent::flow
