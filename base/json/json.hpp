#pragma once
// Foreign JSON, read tolerantly: unknown members are ignored, a missing or mistyped required member
// is an error that names its path. parse_json() bounds what it accepts (see json_limits).
//
//     json_reader root{value};
//     auto message = root["message"];
//     auto chat = message["chat"]["id"].int64();
//     auto text = message["text"].string_or("");
//     if (root.failed()) return root.failure();      // invalid: message.chat.id is missing
#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::base {

namespace json = boost::json;

struct json_limits {
    // Nesting; Telegram's deepest update has about 12 levels.
    std::size_t depth = 64;
    std::size_t bytes = 4u << 20;
};

// invalid: not JSON, too deep, not UTF-8, or a number that is neither int64, uint64 nor a finite
// double. too_large: beyond limits.bytes. Duplicate members: the last one wins.
result<json::value> parse_json(std::string_view text, json_limits limits = {});

class json_reader {
public:
    // The value must outlive every reader made from it.
    explicit json_reader(json::value const& root);

    // The member, or an absent reader; of an absent reader again an absent one.
    json_reader operator[](std::string_view key) const;
    // True when present and not null.
    explicit operator bool() const noexcept { return value_ != nullptr; }

    // Required: on a missing or mistyped value the failure is recorded and a zero comes back.
    std::int64_t int64() const;
    double number() const;
    bool boolean() const;
    std::string string() const;
    std::vector<json_reader> items() const;

    // Optional: absent, null and mistyped give the fallback.
    std::int64_t int64_or(std::int64_t fallback) const;
    double number_or(double fallback) const;
    bool boolean_or(bool fallback) const;
    std::string string_or(std::string_view fallback) const;
    std::vector<json_reader> items_or_none() const;

    bool is_string() const noexcept;
    bool is_object() const noexcept;
    json::value const* raw() const noexcept { return value_; }

    // The first failure recorded by any reader of this document.
    bool failed() const noexcept;
    error failure() const;

private:
    struct document;
    // Of what is absent: the value that lacks it, and its path from there.
    json_reader(json::value const* within, std::string missing, std::shared_ptr<document> doc);
    json_reader(json::value const* value, std::shared_ptr<document> doc);
    static json_reader of(
        json::value const* value,
        json::value const* within,
        std::string_view name,
        std::shared_ptr<document> const& doc
    );
    void fail(std::string_view expected) const;

    json::value const* value_ = nullptr;
    json::value const* within_ = nullptr;
    std::string missing_;
    std::shared_ptr<document> doc_;
};

} // namespace postrider::base
