#include "agent/flow/nodes/http_body.hpp"

#include "agent/expression/expression.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "net/base64.hpp"
#include "net/http.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

bool is_plain(json::value const& value) noexcept {
    return value.is_string() || value.is_number() || value.is_bool();
}

base::error not_plain(std::string_view name) {
    return {base::errc::invalid, fmt::format("'{}' is neither a text, a number nor a flag", name)};
}

void add_field(std::string& form, std::string_view name, json::value const& value) {
    if (!form.empty()) form += '&';
    form += net::percent_encoded(name) + "=" + net::percent_encoded(text_of(value));
}

// Within the quotes of a part's head, as browsers write it.
std::string quotable(std::string_view text) {
    std::string text_in_quotes(text);
    base::replace_all(text_in_quotes, "\r", "%0D");
    base::replace_all(text_in_quotes, "\n", "%0A");
    base::replace_all(text_in_quotes, "\"", "%22");
    return text_in_quotes;
}

// What stands behind the name in the head of a file's part, and its bytes.
base::result<std::string> file_part(std::string_view name, json::value const& file) {
    base::json_reader const fields{file};
    auto const bytes = net::from_base64(fields["base64"].string_or(""));
    if (!fields["base64"].is_string() || !bytes)
        return base::error(base::errc::invalid, fmt::format("the file '{}' has no base64", name));
    auto const type = fields["type"].string_or("application/octet-stream");
    if (type.find_first_of("\r\n") != type.npos)
        return base::error(base::errc::invalid, fmt::format("the type of '{}' is none", name));
    return fmt::format(
        "; filename=\"{}\"\r\nContent-Type: {}\r\n\r\n{}",
        quotable(fields["filename"].string_or("file")),
        type,
        *bytes
    );
}

base::result<std::string> multipart(json::object const& fields, std::string_view boundary) {
    std::string text;
    for (auto const& [name, value] : fields) {
        if (value.is_null()) continue;
        text += fmt::format(
            "--{}\r\nContent-Disposition: form-data; name=\"{}\"",
            boundary,
            quotable(std::string_view(name))
        );
        if (value.is_object()) {
            auto const part = file_part(name, value);
            if (!part) return part.error();
            text += *part;
        } else if (is_plain(value)) {
            text += "\r\n\r\n" + text_of(value);
        } else {
            return not_plain(name);
        }
        text += "\r\n";
    }
    return text + fmt::format("--{}--\r\n", boundary);
}

base::result<json::object const*> form_members(json::value const& body, std::string_view format) {
    if (auto const* members = body.if_object()) return members;
    return base::error(
        base::errc::invalid, fmt::format("a body of the format {} must be an object", format)
    );
}

} // namespace

base::result<std::string> encoded_form(json::object const& fields) {
    std::string form;
    for (auto const& [name, value] : fields) {
        if (value.is_null()) continue;
        if (auto const* list = value.if_array()) {
            for (auto const& element : *list) {
                if (!is_plain(element)) return not_plain(name);
                add_field(form, name, element);
            }
            continue;
        }
        if (!is_plain(value)) return not_plain(name);
        add_field(form, name, value);
    }
    return form;
}

std::string with_query(std::string url, std::string_view encoded) {
    url.resize(std::min(url.find('#'), url.size()));
    if (encoded.empty()) return url;
    bool const has_query = url.find('?') != url.npos;
    bool const is_open = url.ends_with('?') || url.ends_with('&');
    if (!has_query || !is_open) url += has_query ? '&' : '?';
    return url.append(encoded);
}

base::result<request_body> encoded_body(
    std::string_view format, json::value const& value, std::string_view boundary
) {
    if (format == "json") return request_body{base::json_text(value), "application/json"};
    if (format == "text") {
        if (!is_plain(value)) return base::error(base::errc::invalid, "the body must be a text");
        return request_body{text_of(value), "text/plain; charset=utf-8"};
    }
    auto const members = form_members(value, format);
    if (!members) return members.error();
    auto text = format == "form" ? encoded_form(**members) : multipart(**members, boundary);
    if (!text) return text.error();
    if (format == "form") return request_body{*text, "application/x-www-form-urlencoded"};
    return request_body{*text, fmt::format("multipart/form-data; boundary={}", boundary)};
}

} // namespace postrider::agent::flow
