#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/respond.hpp"
#include "agent/flow/n8n/unique_names.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view form_trigger_types[]{"formTrigger"};

// Constant: two braces in it would begin an expression.
std::string short_text(std::string_view text, std::size_t bytes) {
    std::string result(base::cut_at_character(text, bytes));
    for (auto at = result.find("{{"); at != result.npos; at = result.find("{{", at))
        result.replace(at, 2, "{");
    return result;
}

// A member's name: letters, digits and "_".
std::string member_of_label(std::string_view label) {
    auto name = identifier_of(label, "field");
    return name.front() >= '0' && name.front() <= '9' ? "f" + name : name;
}

std::string_view kind_of_field(std::string_view type) {
    if (type == "textarea") return "lines";
    if (type == "email" || type == "number" || type == "date") return type;
    if (type == "dropdown" || type == "radio") return "choice";
    if (type == "checkbox") return "check";
    return "text";
}

std::string form_word(boost::json::object const& imported, std::string_view key) {
    auto const* value = imported.if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::string label_of(boost::json::object const& imported) {
    auto const label = form_word(imported, "fieldLabel");
    return label.empty() ? form_word(imported, "fieldName") : label;
}

// Each field with the name of its own that its member has here.
template<class Call>
void for_each_field(translation const& in, Call const& call) {
    unique_names names;
    auto const* list = in.find("formFields.values");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i)
        if (auto const* field = list->get_array()[i].if_object())
            call(*field, names.add(member_of_label(label_of(*field)), "_"));
}

// Of a page that asks nothing n8n has the button alone.
bool asks_something(boost::json::object const& field) {
    auto const type = form_word(field, "fieldType");
    return type != "html" && type != "hiddenField" && type != "file";
}

std::vector<std::pair<std::string, std::string>> form_members(translation const& in) {
    std::vector<std::pair<std::string, std::string>> members;
    for_each_field(in, [&](auto const& field, std::string name) {
        for (std::string_view key : {"fieldLabel", "fieldName"})
            if (auto label = form_word(field, key); !label.empty())
                members.emplace_back(std::move(label), asks_something(field) ? name : "");
    });
    return members;
}

boost::json::object field_of(boost::json::object const& imported, std::string name) {
    auto const label = label_of(imported);
    boost::json::object field{
        {"name", std::move(name)}, {"label", label.empty() ? "Field" : short_text(label, 200)}};
    auto const kind = kind_of_field(form_word(imported, "fieldType"));
    if (kind != "text") field["kind"] = kind;
    auto const* required = imported.if_contains("requiredField");
    if (required && required->is_bool() && required->get_bool()) field["required"] = true;
    if (kind != "choice") return field;
    boost::json::array choices;
    boost::json::error_code ec;
    boost::json::value const whole = imported;
    auto const* options = whole.find_pointer("/fieldOptions/values", ec);
    for (std::size_t i = 0; options && options->is_array() && i < options->get_array().size(); ++i)
        if (auto const* option = options->get_array()[i].find_pointer("/option", ec))
            if (option->is_string() && !option->get_string().empty() && choices.size() < 100)
                choices.emplace_back(short_text(option->get_string(), 200));
    field["choices"] = choices.empty() ? boost::json::array{"?"} : std::move(choices);
    return field;
}

// n8n shows the page of a form node in place of its own.
bool leads_to_form(translation const& in) {
    return std::ranges::any_of(in.flow().nodes, [](workflow_node const& node) {
        return node.short_type() == "form" && !node.disabled;
    });
}

// Its texts are there before the flow runs.
void put_constant(translation& in, std::string_view key, std::string_view path, std::size_t bytes) {
    if (auto const text = in.word(path); !text.empty())
        in.put_value(key, boost::json::value(short_text(text, bytes)));
}

void map_form_trigger(translation& in) {
    in.become("form");
    in.put_value(
        "path",
        boost::json::value(
            identifier_of(in.word("path", in.word("formTitle", in.node().name)), "form")
        )
    );
    in.put_value("title", "Form");
    put_constant(in, "title", "formTitle", 200);
    put_constant(in, "text", "formDescription", 2000);
    put_constant(in, "answer", "options.formSubmittedText", 2000);
    put_constant(in, "button", "options.buttonLabel", 60);
    boost::json::array fields;
    for_each_field(in, [&](auto const& field, std::string name) {
        if (asks_something(field))
            fields.push_back(field_of(field, std::move(name)));
        else
            in.warn(
                "n8n_parameter",
                "fields",
                "a form here has no files, hidden fields and texts of HTML: \"" + label_of(field) +
                    "\" is left out",
                "",
                "formFields"
            );
    });
    if (fields.empty())
        fields.push_back({{"name", "start"}, {"label", "Start"}, {"kind", "check"}});
    in.put_value("fields", std::move(fields));
    auto const mode = in.word("responseMode", "onReceived");
    if (mode != "onReceived" || leads_to_form(in)) put_answer_by_node(in);
}

} // namespace

extern constinit mapping const form_trigger_mapping{
    .types = form_trigger_types, .map = map_form_trigger, .named = form_members};

} // namespace postrider::agent::flow::n8n
