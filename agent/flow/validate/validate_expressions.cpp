#include "agent/expression/template.hpp"
#include "agent/flow/lane_key.hpp"
#include "agent/flow/validate/inspection.hpp"
#include "base/clock.hpp"
#include "base/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr std::string_view language = "docs/expressions.md describes the language";

constexpr std::size_t most_expressions = 10'000;
constexpr std::size_t most_bytes = 256u << 10;
// RE2 takes up to some milliseconds to read a pattern, and most of a millisecond for each class of
// Unicode (\pL) in it.
constexpr std::size_t weight_of_pattern = 60;
constexpr std::size_t weight_of_escape = 10;

bool spent(inspection const& in) {
    return in.expressions > most_expressions || in.expression_bytes > most_bytes;
}

std::size_t weight_of_patterns(std::string_view text) {
    std::size_t weight = 0;
    for (std::string_view call : {"matches", "captures", "regex"})
        for (auto at = text.find(call); at != text.npos; at = text.find(call, at + call.size()))
            weight += weight_of_pattern;
    if (weight == 0) return 0;
    return weight + weight_of_escape * static_cast<std::size_t>(std::ranges::count(text, '\\'));
}

// Counts it; false when it is beyond what a flow may have, which is told once.
bool counted(
    inspection& in, node const* of, std::string const& path, found_expression const& expression
) {
    bool const was_spent = spent(in);
    ++in.expressions;
    in.expression_bytes += expression.text.size();
    in.expressions += weight_of_patterns(expression.text);
    if (!spent(in)) return true;
    if (!was_spent)
        in.problems.add(
            {.code = "too_many_expressions",
             .path = path,
             .message = fmt::format(
                 "a flow has at most {} expressions, of {} bytes in all",
                 most_expressions,
                 most_bytes
             ),
             .hint = "move parts of it into flows of their own and call them",
             .node = of ? of->name : ""}
        );
    return false;
}

// Names that expressions of one node use. What a text names twice is told once.
class reference_check {
public:
    reference_check(inspection& in, std::size_t node)
        : in_(in),
          index_(node),
          node_(in.flow.nodes[node]) {}

    void check(
        std::string const& path, std::string_view parameter, found_expression const& expression
    ) {
        using subject = expression_mention::subject;
        warn_of_markup(path, expression);
        for (auto const& place : expression.read->mentions()) {
            auto wrong = place.kind == subject::node      ? wrong_node(place.name)
                         : place.kind == subject::from_ai ? wrong_from_ai(parameter)
                                                          : std::nullopt;
            auto at = place;
            if (!wrong)
                if (auto field = unknown_field(in_, index_, place)) {
                    wrong = std::move(field->warning);
                    at.column = field->column;
                }
            if (!wrong || !told_.emplace(path, place.kind, place.name).second) continue;
            wrong->path = path;
            wrong->message = to_text(expression.error_at(at, std::move(wrong->message)));
            in_.add(node_, std::move(*wrong));
        }
    }

private:
    void warn_of_markup(std::string const& path, found_expression const& expression) {
        if (!expression.read->is_call_of("html_raw") || expression.read->mentions().empty()) return;
        in_.add(
            node_,
            {.code = "raw_html",
             .path = path,
             .message = "html_raw() inserts data as markup: whoever writes them can add links",
             .hint = "leave html_raw() out, unless the data are your own",
             .severity = severity::warning}
        );
    }

    std::optional<problem> wrong_node(std::string const& name) {
        auto const named = in_.node_of.find(name);
        if (named == in_.node_of.end()) {
            if (in_.unread.names) return std::nullopt;
            return problem{
                .code = "unknown_node",
                .message = fmt::format("there is no node {}", in_quotes(name)),
                .hint = in_.problems.full() ? "" : hint_for(name, names())};
        }
        if (named->second == inspection::several || in_.unread.connections) return std::nullopt;
        if (before_.empty()) before_ = runs_before(in_, index_);
        if (before_[named->second]) return std::nullopt;
        return problem{
            .code = "not_before",
            .message = fmt::format("{} does not run before this node", in_quotes(name)),
            .hint = "its items are not there then; connect it, or take them elsewhere",
            .severity = severity::warning};
    }

    std::optional<problem> wrong_from_ai(std::string_view parameter) const {
        auto const* type = in_.type_of[index_];
        if (!type) return std::nullopt;
        auto const* property =
            type->parameters.at("properties").get_object().if_contains(parameter);
        if (!property || property->get_object().contains("x-from-ai")) return std::nullopt;
        return problem{
            .code = "from_ai_not_allowed",
            .message = "no model gives this parameter",
            .hint = "$from_ai is for what a tool is called with"};
    }

    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (auto const& node : in_.flow.nodes) all.push_back(node.name);
        return all;
    }

    inspection& in_;
    std::size_t index_;
    node const& node_;
    std::vector<bool> before_;
    std::set<std::tuple<std::string, expression_mention::subject, std::string>> told_;
};

// The lane is chosen before there is an execution.
void check_lane(inspection& in) {
    json::value const lane(in.flow.settings.lane);
    std::set<std::string> reported;
    for_each_expression(lane, from_ai::refused, [&](found_expression const& expression) {
        auto const add = [&](std::string_view code, expression_error const& error, std::string hint
                         ) {
            in.problems.add(
                {.code = std::string(code),
                 .path = "/settings/lane",
                 .message = to_text(error),
                 .hint = std::move(hint)}
            );
        };
        if (!counted(in, nullptr, "/settings/lane", expression)) return false;
        if (!expression.read) {
            add("expression", expression.read.error(), std::string(language));
            return true;
        }
        for (auto const& place : expression.read->mentions()) {
            bool const node = place.kind == expression_mention::subject::node;
            auto const name = node ? "$node" : place.name;
            if (auto field = unknown_lane_field(in, place)) {
                auto at = place;
                at.column = field->column;
                field->warning.path = "/settings/lane";
                field->warning.message =
                    to_text(expression.error_at(at, std::move(field->warning.message)));
                in.problems.add(std::move(field->warning));
            }
            if (std::ranges::find(lane_names, name) != lane_names.end()) continue;
            if (!reported.insert(name).second) continue;
            add("not_yet",
                expression.error_at(place, name + " is not there yet when the lane is chosen"),
                fmt::format("what it can name: {}", base::joined(lane_names, ", ")));
        }
        return true;
    });
}

} // namespace

void check_expressions(inspection& in, std::size_t node) {
    auto const& owner = in.flow.nodes[node];
    reference_check references(in, node);
    for (auto const& parameter : owner.parameters) {
        if (spent(in) || in.problems.decided()) return;
        auto const place = below(owner.path + "/parameters", parameter.key());
        for_each_expression(
            parameter.value(),
            from_ai::allowed,
            [&](found_expression const& expression) {
                auto const path = place + expression.path;
                if (!counted(in, &owner, path, expression)) return false;
                if (expression.read)
                    references.check(path, parameter.key(), expression);
                else
                    in.add(
                        owner,
                        {.code = "expression",
                         .path = path,
                         .message = to_text(expression.read.error()),
                         .hint = std::string(language)}
                    );
                return !in.problems.decided();
            }
        );
    }
}

void check_settings(inspection& in) {
    check_lane(in);
    constexpr std::chrono::milliseconds shortest = 1s; // in less no execution gets anywhere
    auto const& timeout = in.flow.settings.timeout;
    if (timeout && *timeout < shortest)
        in.problems.add(
            {.code = "out_of_range",
             .path = "/settings/timeout",
             .message = fmt::format("\"timeout\" is at least {}", base::to_text(shortest)),
             .hint = "leave it out for none"}
        );
    auto const& error_flow = in.flow.settings.error_flow;
    auto const& flows = *find_reference("flow");
    if (!error_flow.empty() && !in.knows(flows, error_flow))
        in.problems.add({
            .code = unknown_code(flows),
            .path = "/settings/error_flow",
            .message = fmt::format("there is no flow {}", in_quotes(error_flow)),
            .hint = in.hint_for_reference(flows, error_flow),
        });
}

} // namespace postrider::agent::flow
