#include "agent/flow/document/definition.hpp"
#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/n8n_names.hpp"
#include "base/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view code_node_types[]{"code", "function", "functionItem"};

constexpr std::string_view value_of_variables = "variables";

// What n8n's code may use and code here has not.
constexpr std::string_view missing_in_code[]{
    "DateTime",
    "$now",
    "$today",
    "$execution",
    "$workflow",
    "$jmespath",
    "this.helpers",
    "fetch(",
    "$binary",
    ".binary",
    "import requests"};

bool is_code_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The names of nodes behind `call`: $("Name"), $node["Name"].
void find_names(std::string_view code, std::string_view call, std::set<std::string>& names) {
    for (auto at = code.find(call); at != code.npos; at = code.find(call, at + 1)) {
        if (at > 0 && (is_code_word(code[at - 1]) || code[at - 1] == '$')) continue;
        auto const rest = code.substr(at + call.size());
        if (rest.empty() || (rest[0] != '"' && rest[0] != '\'' && rest[0] != '`')) continue;
        auto const end = rest.find(rest[0], 1);
        if (end != rest.npos) names.emplace(rest.substr(1, end - 1));
    }
}

// Variables of n8n's environment: $env.NAME
std::vector<std::string> variables_in(std::string_view code) {
    std::vector<std::string> names;
    for (std::string_view call : {"$env.", "$vars."})
        for (auto at = code.find(call); at != code.npos; at = code.find(call, at + 1)) {
            auto const rest = code.substr(at + call.size());
            auto const end = std::ranges::find_if_not(rest, is_code_word);
            std::string name(rest.begin(), end);
            if (!name.empty()) names.push_back(std::move(name));
        }
    return names;
}

// Lists of items that the code reads of other nodes.
boost::json::object values_of(translation& in, std::string_view code) {
    std::set<std::string> names;
    for (std::string_view call : {"$(", "$node[", "$items(", "_("}) find_names(code, call, names);
    boost::json::object values;
    for (auto const& name : names)
        if (auto const items = in.items_of(name)) {
            auto const added = n8n_members(items->renamed, "i", script_language::expression);
            values[name] = in_braces(
                added.empty() ? items->source
                              : fmt::format("({}).map(i, i.merge({}))", items->source, added)
            );
        }
    for (auto& name : variables_in(code)) {
        values[value_of_variables] = "{{ $vars }}";
        in.variables.push_back(std::move(name));
    }
    return values;
}

// What n8n has and this program has not, in front of the code, on lines of their own.
std::string prelude_of(translation& in, std::string_view code, bool has_variables) {
    std::string prelude;
    if (auto const added = n8n_members(in.renamed_here(), "i", script_language::javascript);
        !added.empty())
        prelude += "for (const i of $input) Object.assign(i, " + added + ");\n";
    if (std::ranges::any_of(in.parts(main_connection), [&](std::size_t feeder) {
            return in.part(feeder).short_type() == "httpRequest";
        }))
        prelude += "for (const i of $input) if (typeof i.body === 'string') i.data ||= i.body;\n";
    if (in.node().short_type() == "functionItem") prelude += "let item = $json;\n";
    if (code.find("$items(") != code.npos)
        prelude += "const $items = name => (name ? $(name) : $input).all();\n";
    if (has_variables)
        prelude += fmt::format("const $env = $values.{}, $vars = $env;\n", value_of_variables);
    for (std::string_view name : {"$getWorkflowStaticData", "getWorkflowStaticData"})
        if (code.find(name) != code.npos) {
            in.warn(
                "n8n_difference",
                "code",
                "what code stores in the workflow's static data is forgotten behind each run",
                "data.put and data.get nodes keep values for later executions"
            );
            prelude += fmt::format("const {} = () => ({{}});\n", name);
            break;
        }
    return prelude;
}

// Two braces would begin an expression of the parameter; within a text or a pattern this is the same.
std::string without_braces(std::string code) {
    for (auto at = code.find("{{"); at != code.npos; at = code.find("{{", at))
        code.replace(at, 2, "{\\x7b");
    return code;
}

void map_code(translation& in) {
    in.become("code");
    bool const is_python = in.word("language").starts_with("python");
    if (is_python) in.put_value("language", "python");
    auto code = in.word(is_python ? "pythonCode" : in.find("jsCode") ? "jsCode" : "functionCode");
    if (code.empty()) code = is_python ? "return items" : "return items;";
    auto values = values_of(in, code);
    auto const prelude =
        is_python ? std::string() : prelude_of(in, code, values.contains(value_of_variables));
    in.put_value("code", boost::json::value(without_braces(prelude + code)));
    if (!values.empty()) in.put_value("values", std::move(values));
    if (in.word("mode") == "runOnceForEachItem" || in.node().short_type() == "functionItem")
        in.put_value("run", "each");
    std::vector<std::string> missing;
    for (auto const name : missing_in_code)
        if (code.find(name) != code.npos) missing.emplace_back(name);
    in.warn(
        "n8n_difference",
        "code",
        "code runs in a process of its own, without network and files",
        missing.empty() ? "look whether it uses more than its items"
                        : "it names what is not there: " + base::joined(missing, ", ")
    );
}

} // namespace

extern constinit mapping const code_mapping{.types = code_node_types, .map = map_code};

} // namespace postrider::agent::flow::n8n
