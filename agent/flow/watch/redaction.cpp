#include "agent/flow/watch/redaction.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 14> secret_words{
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secrets",
    "token",
    "authorization",
    "apikey",
    "cookie",
    "cookies",
    "credentials",
    "bearer",
    "signature"};
// Before "key": api_key, accessKey, …
constexpr std::array<std::string_view, 5> secret_keys{
    "api", "access", "private", "signing", "encryption"};

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

bool is_word(char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// "xAuthToken", "X-Auth-Token", "x_auth_token" → x, auth, token; "APIKey" → api, key.
std::vector<std::string> name_words(std::string_view name) {
    std::vector<std::string> words;
    bool inside = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        char const c = name[i];
        bool const was = std::exchange(inside, is_word(c));
        if (!inside) continue;
        bool const after_lower = i > 0 && !is_upper(name[i - 1]);
        bool const before_lower =
            i + 1 < name.size() && is_word(name[i + 1]) && !is_upper(name[i + 1]);
        if (!was || (is_upper(c) && (after_lower || before_lower))) words.emplace_back();
        words.back() += c;
    }
    for (auto& word : words) word = base::to_lower(std::move(word));
    return words;
}

bool says_nothing(json::value const& value) {
    return value.is_null() || value.is_bool();
}

// Copies as long as there is room.
class copier {
public:
    explicit copier(std::size_t room) : room_(room) {}

    json::value copy(json::value const& original) {
        if (auto const* text = original.if_string()) return copy(*text);
        if (auto const* array = original.if_array()) return copy(*array);
        if (auto const* object = original.if_object()) return copy(*object);
        take(8);
        return original;
    }

private:
    void take(std::size_t bytes) { room_ -= std::min(room_, bytes); }

    json::value copy(json::string const& text) {
        auto const begins = base::cut_at_character({text.data(), text.size()}, room_);
        take(text.size() + 2);
        if (begins.size() == text.size()) return text;
        return json::string(fmt::format("{}… {} bytes more", begins, text.size() - begins.size()));
    }

    json::value copy(json::array const& original) {
        json::array copied;
        for (auto const& item : original) {
            if (room_ == 0) {
                copied.emplace_back(fmt::format("… {} more", original.size() - copied.size()));
                break;
            }
            take(1);
            copied.push_back(copy(item));
        }
        return copied;
    }

    json::value copy(json::object const& original) {
        auto const* name = original.if_contains("name");
        bool const names_secret = name && name->is_string() && looks_secret(name->get_string());
        json::object copied;
        for (auto const& [key, value] : original) {
            if (room_ == 0) {
                copied["…"] = fmt::format("{} more", original.size() - copied.size());
                break;
            }
            take(key.size() + 4);
            bool const secret = looks_secret(key) || (names_secret && key == "value");
            copied[key] = secret && !says_nothing(value) ? json::value(mask) : copy(value);
        }
        return copied;
    }

    std::size_t room_;
};

} // namespace

bool looks_secret(std::string_view member) noexcept {
    auto const words = name_words(member);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (std::ranges::find(secret_words, words[i]) != secret_words.end()) return true;
        bool const names_key = i > 0 && words[i] == "key";
        if (names_key && std::ranges::find(secret_keys, words[i - 1]) != secret_keys.end())
            return true;
    }
    return false;
}

json::value redacted(json::value const& value, std::size_t bytes) {
    return copier(bytes).copy(value);
}

json::object redacted_parameters(json::object const& parameters, json::object const& schema) {
    auto result = redacted(parameters).as_object();
    auto const* properties = schema.if_contains("properties");
    if (!properties || !properties->is_object()) return result;
    for (auto const& [name, property] : properties->get_object()) {
        auto const* marked =
            property.is_object() ? property.get_object().if_contains("x-secret") : nullptr;
        auto* value = result.if_contains(name);
        if (value && marked && marked->is_bool() && marked->get_bool()) *value = mask;
    }
    return result;
}

} // namespace postrider::agent::flow
