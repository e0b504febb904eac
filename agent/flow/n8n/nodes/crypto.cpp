#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view crypto_types[]{"crypto"};

bool crypto_keeps(translation const&) {
    return true;
}

void map_crypto(translation& in) {
    auto const action = in.word("action", "hash");
    std::string text;
    if (action == "generate") {
        text = "uuid()";
        if (in.word("encodingType", "uuid") != "uuid")
            in.warn("n8n_parameter", "fields", "a random text is an id here");
    } else if (auto const* value = in.find("value");
               value && (action == "hash" || action == "hmac")) {
        auto const operand = in.operand("fields", *value);
        auto algorithm = in.word("type", "MD5");
        for (auto& c : algorithm)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        auto const* secret = in.find("secret");
        auto const key = action == "hmac" && secret ? in.operand("fields", *secret) : std::nullopt;
        if (operand)
            text = "string(" + operand->source + ")." + action + "(" +
                   (key ? key->source + ", " : "") + text_literal(algorithm) + ")";
    }
    if (text.empty()) return in.become_placeholder("it signed or encrypted: " + action);
    in.become("set");
    in.put_value(
        "fields", boost::json::object{{in.word("dataPropertyName", "data"), in_braces(text)}}
    );
    in.put_value("keep_others", true);
}

} // namespace

extern constinit mapping const crypto_mapping{
    .types = crypto_types, .map = map_crypto, .items = passing::kept, .keeps = crypto_keeps};

} // namespace postrider::agent::flow::n8n
