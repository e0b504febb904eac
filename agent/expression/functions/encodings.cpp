// base64 and hashes, of the bytes of a string's UTF-8, and HTML.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"
#include "base/html.hpp"
#include "base/utf8.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"

#include <boost/json/string.hpp>

#include <array>
#include <optional>

namespace postrider::agent::expressions {

namespace {

// Steps for each byte that is hashed.
constexpr std::size_t cost = 4;

fallible<operand> base64_encode(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    if (!call.budget.spend_text(text->size() / 3 * 4)) return call.budget.failure();
    return text_operand(net::to_base64(*text));
}

fallible<operand> base64_decode(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    auto const bytes = net::from_base64(*text);
    if (!bytes) return failure{"the string is not base64"};
    if (!base::is_utf8(*bytes)) return failure{"what the string encodes is no text of UTF-8"};
    return text_operand(*bytes);
}

std::optional<net::hash> hash_named(std::string_view name) {
    if (name == "md5") return net::hash::md5;
    if (name == "sha1") return net::hash::sha1;
    if (name == "sha256") return net::hash::sha256;
    if (name == "sha512") return net::hash::sha512;
    return std::nullopt;
}

// Without a name it is SHA-256.
fallible<net::hash> hash_of(call const& call, std::size_t index) {
    if (call.count() <= index) return net::hash::sha256;
    auto const name = call.text(index);
    if (!name) return name.error();
    if (auto const hash = hash_named(*name)) return *hash;
    return failure{"a hash is one of: md5, sha1, sha256, sha512"};
}

fallible<operand> hash(call const& call) {
    auto const text = call.text(0);
    auto const by = hash_of(call, 1);
    if (!text) return text.error();
    if (!by) return by.error();
    if (!call.budget.spend_bytes(cost * text->size())) return call.budget.failure();
    return text_operand(net::hash_hex(*by, *text));
}

fallible<operand> hmac(call const& call) {
    auto const text = call.text(0);
    auto const key = call.text(1);
    auto const by = hash_of(call, 2);
    if (!text) return text.error();
    if (!key) return key.error();
    if (!by) return by.error();
    if (!call.budget.spend_bytes(cost * (text->size() + key->size()))) return call.budget.failure();
    return text_operand(net::hmac_hex(*by, *key, *text));
}

fallible<operand> html_escape(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    bounded_text escaped{call.budget};
    escaped.append(base::html_escaped(*text));
    return std::move(escaped).finish();
}

// A template asks whether it is called: see expression::is_call_of().
fallible<operand> html_raw(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    return text_operand(*text);
}

constexpr std::array encodings_functions{
    function{
        "base64.decode",
        1,
        1,
        base64_decode,
        R"doc(the text in a base64 string, of the standard or the URL alphabet
base64.decode("w7xiZXI=") → "über"
base64.decode("?") → error: not base64)doc"},
    function{"base64.encode", 1, 1, base64_encode, R"doc(the text in base64
base64.encode("über") → "w7xiZXI=")doc"},
    function{
        "hash",
        1,
        2,
        hash,
        R"doc(the hash in hexadecimal: `sha256` by default, or `md5`, `sha1` or `sha512`
"abc".hash("md5") → "900150983cd24fb0d6963f7d28e17f72")doc"},
    function{
        "hmac", 2, 3, hmac, R"doc(the hash with a key (HMAC), as services use it to sign requests
"abc".hmac("key", "sha1") → "4fd0b215276ef12f2b3e4c8ecac2811498b656fc")doc"},
    function{
        "html_escape",
        1,
        1,
        html_escape,
        R"doc(the text with `&`, `<`, `>` and quotes as HTML shows them
html_escape("a < b & c") → "a &lt; b &amp; c")doc"},
    function{
        "html_raw",
        1,
        1,
        html_raw,
        R"doc(the text itself; as the whole of an expression in a field with HTML, it is inserted as markup
html_raw("<b>new</b>") → "<b>new</b>")doc"},
};

} // namespace

function_family const encodings_family{"Encodings", encodings_functions};

} // namespace postrider::agent::expressions
