#pragma once
// A JSON object written straight into its text, member by member: for what is made only to be sent
// off to Postgres. A boost::json::object of ten members is two dozen allocations, this is one or
// two. jsonb and text have no U+0000, so it becomes U+FFFD, in names too. Pure.
#include <boost/json/value.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace postrider::base {

// Looks at a name and a value; for arguments. The name is a literal of the program: it is not
// escaped.
class json_member {
public:
    template<std::integral Number>
    json_member(std::string_view name, Number number) : name_(name) {
        if constexpr (std::same_as<Number, bool>)
            value_ = number;
        else
            value_ = static_cast<std::int64_t>(number);
    }
    json_member(std::string_view name, std::string_view text) : name_(name), value_(text) {}
    json_member(std::string_view name, std::same_as<boost::json::value> auto const& value)
        : name_(name),
          value_(&value) {}

private:
    friend class json_row;

    // In most cases enough, so that a row is one allocation.
    std::size_t likely_size() const noexcept {
        auto const* text = std::get_if<std::string_view>(&value_);
        return name_.size() + (text ? text->size() : 20) + 6;
    }

    std::string_view name_;
    std::variant<std::int64_t, bool, std::string_view, boost::json::value const*> value_;
};

class json_row {
public:
    json_row() = default;
    json_row(std::initializer_list<json_member> members) {
        std::size_t size = 2;
        for (auto const& member : members) size += member.likely_size();
        text_.reserve(size);
        for (auto const& member : members) add(member);
    }
    // A name comes once.
    void add(json_member const& member);

    // The object's text; the row is spent.
    std::string text() &&;

private:
    std::string text_ = "{";
};

} // namespace postrider::base
