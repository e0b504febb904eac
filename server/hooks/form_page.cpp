#include "server/hooks/form_page.hpp"

#include "base/clock.hpp"
#include "base/html.hpp"
#include "base/json/json.hpp"
#include "base/utf8.hpp"
#include "server/hooks/page.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace postrider::hooks {

namespace json = boost::json;
using base::html_escaped;

namespace {

constexpr std::size_t longest_line = 1000; // characters
constexpr std::size_t longest_lines = 10'000;

struct form_field {
    std::string name;
    std::string label;
    std::string kind;
    std::vector<std::string> choices;
    bool required = false;
};

std::vector<form_field> fields_in(json::object const& form) {
    json::value const root(form);
    std::vector<form_field> fields;
    for (auto const& row : base::json_reader{root}["fields"].items_or_none()) {
        form_field field;
        field.name = row["name"].string_or("");
        field.label = row["label"].string_or(field.name);
        field.kind = row["kind"].string_or("text");
        field.required = row["required"].boolean_or(false);
        for (auto const& choice : row["choices"].items_or_none())
            field.choices.push_back(choice.string_or(""));
        fields.push_back(std::move(field));
    }
    return fields;
}

std::string text_in(json::object const& texts, std::string_view name) {
    auto const* text = texts.if_contains(name);
    return text && text->is_string() ? std::string(text->get_string()) : std::string();
}

std::string without_edges(std::string text) {
    constexpr std::string_view blank = " \t\r\n";
    auto const first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<json::value> number_in(std::string const& text) {
    std::int64_t whole = 0;
    auto const* const end = text.data() + text.size();
    if (auto const read = std::from_chars(text.data(), end, whole);
        read.ec == std::errc{} && read.ptr == end)
        return json::value(whole);
    double number = 0;
    auto const read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end || !std::isfinite(number)) return std::nullopt;
    return json::value(number);
}

// 2026-11-30, a day that there is.
bool is_date(std::string const& text) {
    constexpr std::size_t length = std::string_view("2026-11-30").size();
    return text.size() == length && base::from_iso8601(text + "T00:00:00Z").has_value();
}

bool is_email(std::string_view text) {
    auto const at = text.find('@');
    return at != text.npos && at > 0 && at + 1 < text.size() &&
           text.find('@', at + 1) == text.npos && text.find_first_of(" \t\r\n<>,;") == text.npos;
}

// What is wrong with the text; "" = nothing, and the value is set.
std::string read_value(form_field const& field, std::string const& text, json::value& value) {
    auto const most = field.kind == "lines" ? longest_lines : longest_line;
    if (base::count_characters(text) > most)
        return fmt::format("At most {} characters fit here.", most);
    value = json::value(text);
    if (field.kind == "email") return is_email(text) ? "" : "This is no e-mail address.";
    if (field.kind == "date") return is_date(text) ? "" : "This is no date.";
    if (field.kind == "choice")
        return std::ranges::count(field.choices, text) ? "" : "Choose an entry of the list.";
    if (field.kind != "number") return {};
    auto const number = number_in(text);
    if (!number) return "This is no number.";
    value = *number;
    return {};
}

std::string choices_html(form_field const& field, std::string const& text) {
    std::string options = "<option value=\"\"></option>";
    for (auto const& choice : field.choices)
        options += fmt::format(
            "<option{}>{}</option>", choice == text ? " selected" : "", html_escaped(choice)
        );
    return options;
}

std::string input_html(form_field const& field, std::string const& text, std::string const& marks) {
    if (field.kind == "lines")
        return fmt::format("<textarea rows=\"5\"{}>{}</textarea>", marks, html_escaped(text));
    if (field.kind == "choice")
        return fmt::format("<select{}>{}</select>", marks, choices_html(field, text));
    if (field.kind == "check")
        return fmt::format(
            "<input type=\"checkbox\" value=\"on\"{}{}>", text.empty() ? "" : " checked", marks
        );
    auto const type = field.kind == "number" ? "text\" inputmode=\"decimal" : field.kind.c_str();
    return fmt::format("<input type=\"{}\" value=\"{}\"{}>", type, html_escaped(text), marks);
}

std::string field_html(
    form_field const& field, std::string const& text, std::string const& mistake
) {
    auto marks = fmt::format(" id=\"{0}\" name=\"{0}\"", html_escaped(field.name));
    if (field.required) marks += " required";
    std::string note;
    if (!mistake.empty()) {
        marks += fmt::format(" aria-invalid=\"true\" aria-describedby=\"{}-mistake\"", field.name);
        note = fmt::format(
            "<p class=\"mistake\" id=\"{}-mistake\">{}</p>", field.name, html_escaped(mistake)
        );
    }
    return fmt::format(
        "<label for=\"{}\">{}{}</label>{}{}",
        html_escaped(field.name),
        html_escaped(field.label),
        field.required ? " *" : "",
        input_html(field, text, marks),
        note
    );
}

} // namespace

read_form check_form(json::object const& form, json::object const& sent) {
    read_form read;
    for (auto const& field : fields_in(form)) {
        auto const text = without_edges(text_in(sent, field.name));
        auto& value = read.item[field.name];
        value = nullptr;
        std::string mistake;
        if (field.kind == "check") {
            value = !text.empty();
            if (field.required && text.empty()) mistake = "Please check this.";
        } else if (!text.empty()) {
            mistake = read_value(field, text, value);
        } else if (field.required) {
            mistake = "Please fill this in.";
        }
        if (!mistake.empty()) read.mistakes[field.name] = std::move(mistake);
    }
    return read;
}

net::http_response form_page(
    int status,
    json::object const& form,
    json::object const& sent,
    form_mistakes const& mistakes,
    std::string_view submission
) {
    std::string content;
    if (auto const text = text_in(form, "text"); !text.empty())
        content += fmt::format("<p>{}</p>", html_escaped(text));
    if (!mistakes.empty())
        content += "<p class=\"mistake\" role=\"alert\">Some answers need a change.</p>";
    content += fmt::format(
        "<form method=\"post\" novalidate><input type=\"hidden\" name=\"{}\" value=\"{}\">",
        submission_field,
        html_escaped(submission)
    );
    for (auto const& field : fields_in(form)) {
        auto const mistake = mistakes.find(field.name);
        content += field_html(
            field,
            text_in(sent, field.name),
            mistake == mistakes.end() ? std::string() : mistake->second
        );
    }
    auto const written = text_in(form, "button");
    std::string_view const button = written.empty() ? "Send" : std::string_view(written);
    content += fmt::format("<p><button>{}</button></p></form>", html_escaped(button));
    return page(status, text_in(form, "title"), content);
}

net::http_response thanks_page(json::object const& form) {
    auto const answer = text_in(form, "answer");
    return message_page(
        200,
        text_in(form, "title"),
        answer.empty() ? "Thank you. Your answers have arrived." : answer
    );
}

} // namespace postrider::hooks
