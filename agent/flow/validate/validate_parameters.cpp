#include "agent/expression/pieces.hpp"
#include "agent/flow/answer_headers.hpp"
#include "agent/flow/parameters.hpp"
#include "agent/flow/validate/inspection.hpp"
#include "base/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

std::vector<std::string> parameter_names(node_type const& type) {
    std::vector<std::string> names;
    for (auto const& [name, property] : type.parameters.at("properties").get_object())
        names.emplace_back(name);
    return names;
}

// "exactly one of cron, every, at", of {"oneOf": [{"required": ["cron"]}, …]}.
std::string alternatives(node_type const& type) {
    std::string names;
    for (auto const& choice : type.parameters.at("oneOf").get_array())
        for (auto const& name : choice.at("required").get_array())
            names += (names.empty() ? "" : ", ") + std::string(name.get_string());
    return names;
}

// Whatever the expressions give: a text with anything beside its one expression stays a text, and
// none of them changes the kind of a list or an object, or the number of elements or members. Of
// alternatives another one may hold then.
bool is_certain(json_schema::violation const& wrong, json::value const& value) {
    constexpr std::array<std::string_view, 4> of_sizes{
        "minItems", "maxItems", "minProperties", "maxProperties"};
    for (auto alternatives : {"/anyOf/", "/oneOf/"})
        if (wrong.keyword.find(alternatives) != wrong.keyword.npos) return false;
    auto const* text = value.if_string();
    if (wrong.code == "type") return !text || !expressions::looks_whole(*text);
    return std::ranges::find(of_sizes, wrong.code) != of_sizes.end();
}

class parameter_check {
public:
    parameter_check(inspection& in, std::size_t node)
        : in_(in),
          node_(in.flow.nodes[node]),
          type_(*in.type_of[node]),
          parameters_(node_.parameters) {}

    void check() {
        check_names();
        if (in_.purpose == purpose::publishing) check_rows_of_outputs();
        // Each condition of a switch is one: an expression that is a text as yet.
        json_schema::check_limits limits;
        if (in_.purpose == purpose::publishing) limits.violations = 200;
        for (auto const& wrong : in_.types.schema_of(type_).check(parameters_, limits))
            explain(wrong);
        for_each_described(type_.parameters, parameters_, [this](described const& parameter) {
            check_marks(parameter);
        });
    }

private:
    void add(std::string_view path, problem problem) {
        problem.path = node_.path + "/parameters" + std::string(path);
        in_.add(node_, std::move(problem));
    }

    void check_names() {
        auto const known_names = parameter_names(type_);
        for (auto const& name : known_names)
            if (required(name) && !node_.parameters.contains(name))
                add(below("", name),
                    {.code = "missing_parameter",
                     .message = fmt::format("{} needs {}", type_.name, in_quotes(name)),
                     .hint = purpose(name)});
        for (auto const& [name, value] : node_.parameters)
            if (std::ranges::find(known_names, std::string_view(name)) == known_names.end())
                add(below("", name),
                    {.code = "unknown_parameter",
                     .message = fmt::format("{} has no {}", type_.name, in_quotes(name)),
                     .hint = in_.problems.full() ? "" : hint_for(name, known_names)});
    }

    bool required(std::string_view name) const {
        auto const* names = type_.parameters.if_contains("required");
        return names &&
               std::ranges::find(names->get_array(), json::value(name)) != names->get_array().end();
    }

    std::string purpose(std::string_view name) const {
        auto const& property = type_.parameters.at("properties").at(name).get_object();
        return std::string(property.at("description").get_string());
    }

    // Connections need the names of outputs before the flow runs, so the lists that have them are
    // written, row by row.
    void check_rows_of_outputs() {
        for (auto const& output : type_.outputs) {
            if (output.from_parameter.empty()) continue;
            auto const* rows = node_.parameters.if_contains(output.from_parameter);
            if (!rows) continue;
            auto const path = below("", output.from_parameter);
            refuse_expression(path, *rows);
            if (auto const* all = rows->if_array())
                for (std::size_t i = 0; i < all->size(); ++i)
                    refuse_expression(below(path, i), (*all)[i]);
        }
    }

    void refuse_expression(std::string path, json::value const& value) {
        if (!value.is_string() || !holds_expression(value)) return;
        add(path,
            {.code = "expression_not_allowed",
             .message = fmt::format("{} must be written out", shown(path)),
             .hint = "the names in it are outputs, which connections need before the flow runs"});
        refused_.insert(std::move(path));
    }

    // What the schema says beyond the names of the parameters themselves.
    void explain(json_schema::violation const& wrong) {
        if (refused_.contains(wrong.path)) return;
        if (wrong.keyword == "/required" || wrong.keyword == "/additionalProperties") return;
        if (wrong.keyword.starts_with("/oneOf/")) return;
        if (wrong.path.empty() && wrong.code == "oneOf")
            return add(
                "",
                {.code = "parameter_choice",
                 .message =
                     fmt::format("{} wants exactly one of {}", type_.name, alternatives(type_))}
            );
        if (is_null(wrong.path)) return add_missing_value(wrong.path);
        bool const of_names = wrong.code == "required" || wrong.code == "additionalProperties";
        auto const* value = with_expression(wrong.path);
        bool const open = value && (in_.purpose == purpose::running || !is_certain(wrong, *value));
        if (!of_names && open) return; // decided when the flow runs
        add(wrong.path,
            {.code = wrong.code == "required" ? "missing_parameter" : "invalid_parameter",
             .message = fmt::format("{} {}", shown(wrong.path), wrong.message),
             .hint = !of_names && value && value->is_string()
                         ? "put the whole value between {{ and }}: an expression with other text "
                           "around it results in a text"
                         : ""});
    }

    json::value const* value_at(std::string_view path) const {
        json::error_code ec;
        return parameters_.find_pointer(path, ec);
    }

    // What stands there, where an expression is in it; else null.
    json::value const* with_expression(std::string_view path) const {
        auto const* value = value_at(path);
        return value && holds_expression(*value) ? value : nullptr;
    }

    // A place that a person is to fill in, as in a template.
    bool is_null(std::string_view path) const {
        auto const* value = value_at(path);
        return value && value->is_null();
    }

    // Once for each place, whatever else null is not.
    void add_missing_value(std::string const& path) {
        refused_.insert(path);
        auto const name = std::string_view(path).substr(1);
        bool const is_parameter = name.find('/') == name.npos;
        add(path,
            {.code = "missing_parameter",
             .message = fmt::format("{} has no value yet", in_quotes(name)),
             .hint = is_parameter ? purpose(name) : ""});
    }

    static std::string shown(std::string_view path) {
        return path.empty() ? "the parameters" : in_quotes(path.substr(1));
    }

    void check_marks(described const& parameter) {
        auto const* text = parameter.value.if_string();
        if (parameter.schema.contains("x-answer-headers")) check_headers(parameter);
        if (holds_expression(parameter.value)) {
            auto const* allowed = parameter.schema.if_contains("x-expression");
            if (allowed && *allowed == json::value(false))
                add(parameter.path,
                    {.code = "expression_not_allowed",
                     .message = fmt::format("{} must be constant", shown(parameter.path)),
                     .hint = "it is needed before the flow runs"});
            return;
        }
        if (auto const reason = format_violation(parameter.mark("x-format"), parameter.value);
            !reason.empty())
            add(parameter.path,
                {.code = "invalid_parameter",
                 .message = fmt::format("{} {}", shown(parameter.path), reason)});
        if (text) check_reference(parameter, *text);
    }

    // A value that an expression gives is known when the flow runs.
    void check_headers(described const& parameter) {
        auto const* headers = parameter.value.if_object();
        if (!headers) return;
        for (auto const& [name, value] : *headers) {
            auto const* text = value.if_string();
            bool const is_constant = text && !holds_expression(value);
            auto const reason = why_left_out(name, is_constant ? std::string_view(*text) : "");
            if (reason.empty()) continue;
            add(below(parameter.path, name),
                {.code = "header_left_out",
                 .message = fmt::format("{} is not sent: {}", in_quotes(name), reason),
                 .hint = "begin the names of your own headers with X-",
                 .severity = severity::warning});
        }
    }

    void check_reference(described const& parameter, std::string_view name) {
        auto const* to = find_reference(parameter.mark("x-reference"));
        if (!to) return;
        if (in_.knows(*to, name)) return check_provider(parameter, name);
        // Somebody may have written the secret itself.
        bool const secret = parameter.schema.contains("x-secret");
        add(parameter.path,
            {.code = unknown_code(*to),
             .message = secret ? fmt::format("there is no {} of this name", to->noun)
                               : fmt::format("there is no {} {}", to->noun, in_quotes(name)),
             .hint = in_.problems.full() ? ""
                     : secret            ? "write the name that the configuration has for it"
                                         : in_.hint_for_reference(*to, name)});
    }

    void check_provider(described const& parameter, std::string_view model) {
        auto const provider = parameter.mark("x-provider");
        auto const provider_entry = in_.context.providers.find(model);
        if (provider.empty() || provider_entry == in_.context.providers.end()) return;
        auto const serves = [&](std::vector<std::string> const& providers) {
            return std::ranges::find(providers, provider) != providers.end();
        };
        if (serves(provider_entry->second)) return;
        std::vector<std::string> fit;
        for (auto const& [name, providers] : in_.context.providers)
            if (serves(providers)) fit.push_back(name);
        add(parameter.path,
            {.code = "wrong_provider",
             .message = fmt::format(
                 "the model {} is of {}, not of {}",
                 in_quotes(model),
                 base::joined(provider_entry->second, " or "),
                 provider
             ),
             .hint = fit.empty() ? fmt::format("no [models.NAME] is of {}", provider)
                                 : hint_for(model, fit)});
    }

    inspection& in_;
    node const& node_;
    node_type const& type_;
    json::value parameters_;
    std::set<std::string, std::less<>> refused_; // paths
};

} // namespace

void check_parameters(inspection& in, std::size_t node) {
    parameter_check(in, node).check();
}

} // namespace postrider::agent::flow
