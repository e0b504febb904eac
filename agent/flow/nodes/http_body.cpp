#include "agent/flow/nodes/http_body.hpp"

#include "agent/expression/expression.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "net/base64.hpp"
#include "net/http.hpp"
#include "net/multipart.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

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

bool is_media_type(std::string_view type) {
    return !type.empty() && type.find_first_of("\r\n") == type.npos;
}

base::error no_media_type(std::string_view name) {
    return {base::errc::invalid, fmt::format("the type of '{}' is none", name)};
}

base::result<file_content> written_file(std::string_view name, json::value const& file) {
    base::json_reader const fields{file};
    auto bytes = net::from_base64(fields["base64"].string_or(""));
    if (!fields["base64"].is_string() || !bytes)
        return base::error(base::errc::invalid, fmt::format("the file '{}' has no base64", name));
    return file_content{
        fields["filename"].string_or("file"),
        fields["type"].string_or("application/octet-stream"),
        std::move(*bytes)};
}

base::result<net::form_part> file_part(
    std::string_view name, json::value const& file, loaded_files const& files
) {
    auto const reference = file_reference_from(file);
    auto const loaded = reference ? files.find(reference->id) : files.end();
    base::result<file_content> content =
        loaded == files.end() ? written_file(name, file) : loaded->second;
    if (!content) return content.error();
    if (!is_media_type(content->mime)) return no_media_type(name);
    return net::form_part{
        std::string(name), std::move(content->bytes), std::move(content->name), content->mime};
}

base::result<request_body> multipart(
    json::object const& fields, std::string_view seed, loaded_files const& files
) {
    std::vector<net::form_part> parts;
    for (auto const& [key, value] : fields) {
        std::string_view const name = key;
        if (value.is_null()) continue;
        if (!value.is_object() && !is_plain(value)) return not_plain(name);
        if (!value.is_object()) {
            parts.push_back({std::string(name), text_of(value)});
            continue;
        }
        auto part = file_part(name, value, files);
        if (!part) return part.error();
        parts.push_back(std::move(*part));
    }
    auto body = net::encode_multipart(parts, seed);
    return request_body{std::move(body.text), std::move(body.content_type)};
}

base::result<request_body> file_body(json::value const& value, loaded_files const& files) {
    auto const reference = file_reference_from(value);
    auto const loaded = reference ? files.find(reference->id) : files.end();
    if (loaded == files.end())
        return base::error(base::errc::invalid, "the body is no file: {{ $json.file }} is one");
    auto const& file = loaded->second;
    if (!is_media_type(file.mime)) return no_media_type("body");
    return request_body{file.bytes, file.mime};
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

std::vector<file_reference> files_in(std::string_view format, json::value const& value) {
    std::vector<file_reference> files;
    auto const add = [&files](json::value const& candidate) {
        if (auto reference = file_reference_from(candidate)) files.push_back(std::move(*reference));
    };
    if (format == "file") add(value);
    if (auto const* members = value.if_object(); members && format == "multipart")
        for (auto const& [name, member] : *members) add(member);
    return files;
}

base::result<request_body> encoded_body(
    std::string_view format,
    json::value const& value,
    std::string_view boundary_seed,
    loaded_files const& files
) {
    if (format == "json") return request_body{base::json_text(value), "application/json"};
    if (format == "file") return file_body(value, files);
    if (format == "text") {
        if (!is_plain(value)) return base::error(base::errc::invalid, "the body must be a text");
        return request_body{text_of(value), "text/plain; charset=utf-8"};
    }
    auto const members = form_members(value, format);
    if (!members) return members.error();
    if (format == "multipart") return multipart(**members, boundary_seed, files);
    auto form = encoded_form(**members);
    if (!form) return form.error();
    return request_body{std::move(*form), "application/x-www-form-urlencoded"};
}

} // namespace postrider::agent::flow
