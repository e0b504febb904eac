#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view form_trigger_types[]{"formTrigger"};

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

boost::json::object field_of(boost::json::object const& from) {
    auto const word = [&](std::string_view key) {
        auto const* value = from.if_contains(key);
        return value && value->is_string() ? std::string(value->get_string()) : std::string();
    };
    auto const label = word("fieldLabel").empty() ? word("fieldName") : word("fieldLabel");
    boost::json::object field{
        {"name", member_of_label(label)}, {"label", label.empty() ? "Field" : label}};
    auto const kind = kind_of_field(word("fieldType"));
    if (kind != "text") field["kind"] = kind;
    auto const* required = from.if_contains("requiredField");
    if (required && required->is_bool() && required->get_bool()) field["required"] = true;
    if (kind != "choice") return field;
    boost::json::array choices;
    boost::json::error_code ec;
    boost::json::value const whole = from;
    auto const* options = whole.find_pointer("/fieldOptions/values", ec);
    for (std::size_t i = 0; options && options->is_array() && i < options->get_array().size(); ++i)
        if (auto const* option = options->get_array()[i].find_pointer("/option", ec))
            choices.push_back(*option);
    field["choices"] = choices.empty() ? boost::json::array{"?"} : std::move(choices);
    return field;
}

void map_form_trigger(translation& in) {
    in.become("form");
    in.put_value(
        "path",
        boost::json::value(
            identifier_of(in.word("path", in.word("formTitle", in.node().name)), "form")
        )
    );
    if (!in.put("title", "formTitle")) in.put_value("title", "Form");
    in.put("text", "formDescription");
    in.put("answer", "options.formSubmittedText");
    in.put("button", "options.buttonLabel");
    boost::json::array fields;
    auto const* list = in.find("formFields.values");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i)
        if (auto const* field = list->get_array()[i].if_object())
            fields.push_back(field_of(*field));
    if (!fields.empty())
        in.warn(
            "n8n_difference",
            "fields",
            "the fields of the item have short names here",
            "n8n named them by their labels; look at the expressions behind"
        );
    in.put_value("fields", std::move(fields));
    if (in.word("responseMode") == "responseNode") in.put_value("respond", "by_node");
}

} // namespace

extern constinit mapping const form_trigger_mapping{
    .types = form_trigger_types, .map = map_form_trigger};

} // namespace postrider::agent::flow::n8n
