#include "server/start/telemetry_settings.hpp"

#include "agent/folded_text.hpp"
#include "net/http.hpp"
#include "net/http_client.hpp"

#include <algorithm>
#include <cctype>

namespace postrider::server {

using agent::operator""_folded;
using enum base::setting_type;

namespace {

constexpr std::string_view endpoint = "telemetry.otlp_endpoint";
constexpr std::string_view headers = "telemetry.otlp_headers";

bool is_header_name(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
        return c < 0x80 && (std::isalnum(c) || marks.find(static_cast<char>(c)) != marks.npos);
    });
}

bool is_header_value(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' && c != 0x7f; });
}

// "api-key=s3cret,tenant=my%20shop": values are percent-encoded, as OpenTelemetry's variable has them.
std::optional<std::pair<std::string, base::secret>> header_from(std::string const& word) {
    auto const equals = word.find('=');
    if (equals == word.npos) return std::nullopt;
    auto name = word.substr(0, equals);
    auto value = net::percent_decode(word.substr(equals + 1));
    if (!is_header_name(name) || !value || !is_header_value(*value)) return std::nullopt;
    return std::pair(std::move(name), base::secret(std::move(*value)));
}

} // namespace

std::vector<base::setting> telemetry_rows() {
    return {
        {endpoint,
         "OTEL_EXPORTER_OTLP_ENDPOINT",
         url,
         "",
         "",
         R"(
             base URL of an OpenTelemetry collector that takes OTLP over HTTP, such as
             `http://localhost:4318`: each job that has ended goes there as a trace; empty = no traces
         )"_folded},
        {headers,
         "OTEL_EXPORTER_OTLP_HEADERS",
         secret,
         "",
         "",
         R"(
             `name=value`, comma separated, sent with them, the values percent-encoded; or
             `otlp_headers_file`
         )"_folded},
        {"telemetry.service_name",
         "OTEL_SERVICE_NAME",
         text,
         "postrider",
         "",
         "`service.name` of the traces"},
    };
}

void read_telemetry(base::settings const& from, config& into, std::vector<std::string>& problems) {
    auto& telemetry = into.telemetry;
    telemetry.endpoint = from.text(endpoint);
    telemetry.service = from.text("telemetry.service_name");
    if (!telemetry.endpoint.empty())
        if (auto const address = net::parse_base_url(telemetry.endpoint); !address)
            problems.push_back(std::string(endpoint) + ": " + address.error().detail);
    for (auto const& word : base::split_words(from.secret(headers).reveal())) {
        if (auto header = header_from(word))
            telemetry.headers.push_back(std::move(*header));
        else
            problems.push_back(std::string(headers) + ": each of them is name=value");
    }
}

} // namespace postrider::server
