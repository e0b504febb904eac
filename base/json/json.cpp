#include "base/json/json.hpp"

#include <boost/json/parser.hpp>

#include <algorithm>
#include <cmath>

namespace postrider::base {

namespace {

bool finite(json::value const& value) {
    if (auto number = value.if_double()) return std::isfinite(*number);
    if (auto array = value.if_array()) {
        for (auto const& item : *array)
            if (!finite(item)) return false;
    } else if (auto object = value.if_object()) {
        for (auto const& member : *object)
            if (!finite(member.value())) return false;
    }
    return true;
}

std::string joined(std::string path, std::string_view name) {
    if (!path.empty() && !name.empty() && !name.starts_with('[')) path += '.';
    return path.append(name);
}

// "message.items[3]", and "" for the document itself; none when the value is not in it.
std::optional<std::string> path_to(json::value const& target, json::value const& root) {
    if (&target == &root) return std::string();
    auto const below = [&](std::string name, json::value const& child) {
        auto rest = path_to(target, child);
        if (rest) rest = joined(std::move(name), *rest);
        return rest;
    };
    if (auto const* object = root.if_object()) {
        for (auto const& member : *object)
            if (auto path = below(std::string(member.key()), member.value())) return path;
    } else if (auto const* array = root.if_array()) {
        for (std::size_t i = 0; i < array->size(); ++i)
            if (auto path = below("[" + std::to_string(i) + "]", (*array)[i])) return path;
    }
    return std::nullopt;
}

// "syntax error (line 2, column 7)", of what was read of the text until then.
std::string mistake_at(std::string_view read, std::string const& reason) {
    auto const line = std::ranges::count(read, '\n') + 1;
    auto const column = read.size() - (read.rfind('\n') + 1) + 1;
    return "not valid JSON: " + reason + " (line " + std::to_string(line) + ", column " +
           std::to_string(column) + ")";
}

} // namespace

result<json::value> parse_json(std::string_view text, json_limits limits) {
    if (text.size() > limits.bytes) return error(errc::too_large, "JSON beyond the size limit");
    json::parse_options options;
    options.max_depth = limits.depth;
    unsigned char scratch[4096]; // what it collects before an array or object is whole
    json::parser parser({}, options, scratch);
    json::error_code ec;
    auto const read = parser.write(json::string_view(text.data(), text.size()), ec);
    if (ec) return error(errc::invalid, mistake_at(text.substr(0, read), ec.message()));
    auto value = parser.release();
    if (!finite(value)) return error(errc::invalid, "not valid JSON: number out of range");
    return value;
}

// Only errors tell a path, so none is kept: an error looks for its value in the document.
struct json_reader::document {
    explicit document(json::value const& whole) : root(whole) {}

    json::value const& root;
    std::optional<error> first;
};

json_reader::json_reader(json::value const& root)
    : value_(root.is_null() ? nullptr : &root),
      within_(&root),
      doc_(std::make_shared<document>(root)) {}

json_reader::json_reader(json::value const* value, std::shared_ptr<document> doc)
    : value_(value),
      doc_(std::move(doc)) {}

json_reader::json_reader(
    json::value const* within, std::string missing, std::shared_ptr<document> doc
)
    : within_(within),
      missing_(std::move(missing)),
      doc_(std::move(doc)) {}

json_reader json_reader::of(
    json::value const* value,
    json::value const* within,
    std::string_view name,
    std::shared_ptr<document> const& doc
) {
    if (value && !value->is_null()) return {value, doc};
    return {within, std::string(name), doc};
}

json_reader json_reader::operator[](std::string_view key) const {
    if (!value_)
        return {within_, missing_.empty() ? std::string(key) : joined(missing_, key), doc_};
    auto const* object = value_->if_object();
    auto const* member =
        object ? object->if_contains(json::string_view(key.data(), key.size())) : nullptr;
    return of(member, value_, key, doc_);
}

void json_reader::fail(std::string_view expected) const {
    if (doc_->first) return;
    auto path = path_to(value_ ? *value_ : *within_, doc_->root).value_or("");
    if (!missing_.empty()) path = joined(std::move(path), missing_);
    if (path.empty()) path = "the document";
    doc_->first = error(
        errc::invalid,
        path + (value_ ? " is not " + std::string(expected) : std::string(" is missing"))
    );
}

std::int64_t json_reader::int64() const {
    if (value_) {
        if (auto number = value_->if_int64()) return *number;
        if (auto number = value_->if_uint64(); number && *number <= INT64_MAX)
            return static_cast<std::int64_t>(*number);
    }
    fail("an integer");
    return 0;
}

double json_reader::number() const {
    if (value_ && value_->is_number()) return value_->to_number<double>();
    fail("a number");
    return 0;
}

bool json_reader::boolean() const {
    if (auto flag = value_ ? value_->if_bool() : nullptr) return *flag;
    fail("a boolean");
    return false;
}

std::string json_reader::string() const {
    if (auto text = value_ ? value_->if_string() : nullptr) return {text->data(), text->size()};
    fail("a string");
    return {};
}

std::vector<json_reader> json_reader::items() const {
    std::vector<json_reader> elements;
    auto array = value_ ? value_->if_array() : nullptr;
    if (!array) {
        fail("an array");
        return elements;
    }
    elements.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i)
        elements.push_back(of(&(*array)[i], value_, "[" + std::to_string(i) + "]", doc_));
    return elements;
}

std::int64_t json_reader::int64_or(std::int64_t fallback) const {
    if (auto number = value_ ? value_->if_int64() : nullptr) return *number;
    return fallback;
}

double json_reader::number_or(double fallback) const {
    return value_ && value_->is_number() ? value_->to_number<double>() : fallback;
}

bool json_reader::boolean_or(bool fallback) const {
    auto flag = value_ ? value_->if_bool() : nullptr;
    return flag ? *flag : fallback;
}

std::string json_reader::string_or(std::string_view fallback) const {
    auto text = value_ ? value_->if_string() : nullptr;
    return text ? std::string(text->data(), text->size()) : std::string(fallback);
}

std::vector<json_reader> json_reader::items_or_none() const {
    return value_ && value_->is_array() ? items() : std::vector<json_reader>{};
}

bool json_reader::is_string() const noexcept {
    return value_ && value_->is_string();
}

bool json_reader::is_object() const noexcept {
    return value_ && value_->is_object();
}

bool json_reader::failed() const noexcept {
    return doc_->first.has_value();
}

error json_reader::failure() const {
    return doc_->first.value_or(error{errc::internal});
}

} // namespace postrider::base
