#include "agent/flow/n8n/service_request.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

constexpr std::string_view service_types[]{
    "airtable",
    "discord",
    "github",
    "gmail",
    "hackerNews",
    "jira",
    "mattermost",
    "microsoftOutlook",
    "notion",
    "slack",
    "twilio",
    "twitter",
    "wordpress"};

service const& service_of(translation const& in) {
    return *std::ranges::find(services(), in.node().short_type(), &service::type);
}

bool has_values(translation const& in, std::string_view values, bool may_lack) {
    auto const required = json::parse(values).as_object();
    return std::ranges::all_of(required, [&](auto const& member) {
        auto const* value = in.find(member.key());
        return value ? *value == member.value() : may_lack;
    });
}

bool is_absent(json::value const* value) {
    if (!value || value->is_null()) return true;
    if (auto const* text = value->if_string()) return text->empty();
    if (auto const* list = value->if_array()) return list->empty();
    auto const* object = value->if_object();
    return object && object->empty();
}

bool is_request_of(service_request const& request, translation const& in) {
    auto const operation = in.word("operation");
    return (operation.empty() ? request.usual : request.operation == operation) &&
           has_values(in, request.requires_values, false) &&
           has_values(in, request.allows_values, true) &&
           (request.needs.empty() || !is_absent(in.find(request.needs)));
}

service_request const* request_of(translation const& in) {
    auto const type = in.node().short_type();
    auto const name = in.word("resource", service_of(in).resource);
    auto const resources = service_resources();
    auto const resource = std::ranges::find_if(resources, [&](auto const& entry) {
        return entry.type == type && entry.resource == name;
    });
    if (resource == resources.end()) return nullptr;
    auto const request = std::ranges::find_if(resource->requests, [&](auto const& entry) {
        return is_request_of(entry, in);
    });
    return request == resource->requests.end() ? nullptr : &*request;
}

renamed_members service_members(translation const& in) {
    auto const* request = request_of(in);
    return request ? request->renamed : renamed_members();
}

// Fills in the pieces of one request.
class service_writer {
public:
    service_writer(translation& in, service_request const& request) : in_(in), request_(request) {}

    void write() {
        in_.become("http.request");
        in_.put_value("url", json::value(url()));
        if (request_.method != "GET") in_.put_value("method", json::value(request_.method));
        put("query", request_.query);
        put("headers", request_.headers);
        if (!request_.body.empty()) put("body", request_.body);
        for (auto [key, text] :
             {std::pair{"body_format", request_.body_format},
              {"items", request_.items},
              {"pages", request_.pages},
              {"next", request_.next},
              {"page_parameter", request_.page_parameter}})
            if (!text.empty()) in_.put_value(key, json::value(text));
        if (!request_.pages.empty()) in_.put_value("most_pages", 100);
        if (!request_.remark.empty()) in_.remarks.emplace_back(request_.remark);
        for (auto text : {request_.requires_values, request_.allows_values}) {
            auto const values = json::parse(text);
            for (auto const& member : values.as_object()) read_.insert(member.key());
        }
        auto const other = parameter_beyond(in_.node().parameters, "");
        if (!other.empty())
            in_.become_placeholder("its parameter " + other + " is more than one plain request");
        else if (!missing_.empty())
            in_.become_placeholder("its parameter " + missing_ + " is not known");
    }

private:
    // A member of a path, which may have any characters.
    std::string in_path(std::string const& path) {
        auto const* value = parameter(path);
        auto const operand = value ? in_.operand("url", *value) : std::nullopt;
        if (is_absent(value) || !operand) missing_ = path;
        if (!operand) return {};
        bool const is_plain =
            value->is_string() &&
            std::ranges::all_of(std::string_view(value->get_string()), [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
            });
        if (is_plain) return std::string(value->get_string());
        return in_braces("string(" + operand->source + ").urlEncode()");
    }

    std::string variable(std::string_view name) {
        in_.variables.emplace_back(name);
        return fmt::format("{{{{ $vars.{} }}}}", name);
    }

    std::string url() {
        std::string result;
        for (auto rest = request_.url; !rest.empty();) {
            auto const open = std::min(rest.find('<'), rest.size());
            result += rest.substr(0, open);
            rest.remove_prefix(open);
            if (rest.empty()) break;
            auto const close = rest.find('>');
            auto const name = rest.substr(1, close - 1);
            result += name.starts_with('$') ? variable(name.substr(1)) : in_path(std::string(name));
            rest.remove_prefix(close + 1);
        }
        return result;
    }

    void put(std::string_view key, std::string_view text) {
        auto value = filled(key, json::parse(text));
        if (!is_absent(&value)) in_.put_value(key, std::move(value));
    }

    json::value filled(std::string_view key, json::value const& value) {
        if (auto const* text = value.if_string())
            return text->starts_with('<') ? read(key, {text->data() + 1, text->size() - 2}) : value;
        if (auto const* list = value.if_array()) {
            json::array result;
            for (auto const& item : *list) result.push_back(filled(key, item));
            return result;
        }
        auto const* object = value.if_object();
        if (!object) return value;
        json::object result;
        for (auto const& [name, member] : *object)
            if (auto inner = filled(key, member); !is_absent(&inner)) result[name] = inner;
        return result;
    }

    json::value read(std::string_view key, std::string_view place) {
        auto const bar = std::min(place.find('|'), place.size());
        std::string const path(place.substr(0, bar));
        auto const way = place.substr(std::min(bar + 1, place.size()));
        auto const* value = parameter(path);
        if (is_absent(value)) return nullptr;
        if (way.empty()) return in_.converted(key, *value);
        auto const* list = value->if_array();
        if (way == "joined" && list) return in_.converted(key, json::value(joined(*list)));
        if (way == "fields" && value->is_object()) return fields(key, value->get_object());
        if (list && way != "joined" && way != "fields") return members(key, *list, way);
        missing_ = path;
        return nullptr;
    }

    static std::string joined(json::array const& list) {
        std::string text;
        for (auto const& item : list)
            if (auto const* word = item.if_string())
                text += (text.empty() ? "" : ",") + std::string(*word);
        return text;
    }

    json::value fields(std::string_view key, json::object const& columns) {
        json::object result;
        for (auto const& [name, value] : columns)
            if (name != "id" && !value.is_null()) result[name] = in_.converted(key, value);
        return result;
    }

    json::value members(std::string_view key, json::array const& list, std::string_view name) {
        json::array result;
        for (auto const& item : list)
            if (auto const* object = item.if_object())
                if (auto const* member = object->if_contains(name))
                    result.push_back(in_.converted(key, *member));
        return result;
    }

    // Of a resource locator what it locates, unless n8n takes that out of an address.
    json::value const* parameter(std::string const& path) {
        read_.insert(path);
        auto const* value = in_.find(path);
        auto const* locator = value ? value->if_object() : nullptr;
        if (!locator || !locator->contains("__rl")) return value;
        auto const* mode = locator->if_contains("mode");
        if (mode && *mode == "url") missing_ = path;
        return locator->if_contains("value");
    }

    // The path of a parameter that has a value and is not part of the request.
    std::string parameter_beyond(json::object const& parameters, std::string const& before) const {
        static std::set<std::string, std::less<>> const without_meaning{
            "resource",
            "operation",
            "authentication",
            "guildId",
            "requestOptions",
            "columns.schema",
            "columns.matchingColumns",
            "columns.attemptToConvertTypes",
            "columns.convertFieldsToString"};
        for (auto const& [name, value] : parameters) {
            auto const path = before + std::string(name);
            if (read_.contains(path) || without_meaning.contains(path) || is_absent(&value))
                continue;
            if (value == json::value(false)) continue;
            bool const reads_within = std::ranges::any_of(read_, [&](auto const& place) {
                return place.starts_with(path + ".");
            });
            if (!reads_within || !value.is_object()) return path;
            if (auto const other = parameter_beyond(value.get_object(), path + "."); !other.empty())
                return other;
        }
        return {};
    }

    translation& in_;
    service_request const& request_;
    std::set<std::string, std::less<>> read_;
    std::string missing_;
};

void map_service(translation& in) {
    auto const* request = request_of(in);
    if (!request) return in.become_placeholder("it did more than one plain request");
    service_writer(in, *request).write();
    auto const& service = service_of(in);
    if (service.credential.empty()) return;
    in.put_value(
        "credential", json::value(in.credential("credential", service.credential, service.entry))
    );
}

} // namespace

extern constinit mapping const service_mapping{
    .types = service_types, .map = map_service, .renamed = service_members, .is_vendor = true};

} // namespace postrider::agent::flow::n8n
