#include "server/start/telemetry_settings.hpp"

#include "agent/describe/folded_text.hpp"
#include "base/ascii.hpp"
#include "net/http.hpp"
#include "net/http_client.hpp"
#include "server/start/version.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace postrider::server {

using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

namespace {

constexpr std::string_view endpoint = "telemetry.otlp_endpoint";
constexpr std::string_view headers = "telemetry.otlp_headers";
constexpr std::string_view disabled = "telemetry.disabled";
constexpr std::string_view exporter = "telemetry.exporter";
constexpr std::string_view endpoint_variable = "OTEL_EXPORTER_OTLP_ENDPOINT";
constexpr std::string_view headers_variable = "OTEL_EXPORTER_OTLP_HEADERS";

bool is_header_name(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
        return c < 0x80 && (std::isalnum(c) || marks.find(static_cast<char>(c)) != marks.npos);
    });
}

bool is_header_value(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' && c != 0x7f; });
}

// What the exporter says itself, or the connection.
bool is_own_header(std::string_view name) {
    constexpr std::array names{
        "Content-Type", "Content-Length", "Host", "Connection", "Transfer-Encoding"};
    return std::ranges::any_of(names, [&](char const* own) {
        return base::equals_without_case(name, own);
    });
}

// "api-key=s3cret,tenant=my%20shop": values are percent-encoded, as OpenTelemetry's variable has them.
// No problem quotes any of it.
base::result<std::pair<std::string, base::secret>> header_from(std::string const& word) {
    using base::errc;
    auto const equals = word.find('=');
    if (equals == word.npos) return base::error(errc::invalid, "each header is name=value");
    auto name = word.substr(0, equals);
    if (!is_header_name(name))
        return base::error(errc::invalid, "the text before the = is no name of a header");
    if (is_own_header(name))
        return base::error(errc::invalid, name + " is a header that postrider sets itself");
    auto value = net::percent_decode(word.substr(equals + 1));
    if (!value)
        return base::error(errc::invalid, "a % of a value is not followed by two hex digits");
    if (!is_header_value(*value))
        return base::error(errc::invalid, "a value holds a control character");
    return std::pair(std::move(name), base::secret(std::move(*value)));
}

std::optional<std::string> problem_with_endpoint(std::string const& address) {
    auto const parsed = net::parse_base_url(address);
    if (parsed) return std::nullopt;
    bool const grpc = address.ends_with(":4317");
    return std::string(endpoint) + ": " + parsed.error().detail +
           (grpc ? "; 4317 is the port of OTLP over gRPC, OTLP over HTTP has 4318" : "");
}

// OpenTelemetry's variables may stand in the environment for other programs.
bool is_from(base::settings const& settings, std::string_view key, std::string_view variable) {
    for (auto const& line : settings.effective())
        if (line.key == key) return line.source.starts_with(variable);
    return false;
}

bool is_switched_off(base::settings const& settings) {
    return base::equals_without_case(settings.text(disabled), "true") ||
           base::equals_without_case(settings.text(exporter), "none");
}

} // namespace

std::vector<base::setting> telemetry_rows() {
    return {
        {endpoint,
         endpoint_variable,
         url,
         "",
         "",
         R"(
             Base URL of an OpenTelemetry collector with OTLP over HTTP, such as
             `http://localhost:4318`. It gets a trace of each finished job. Empty: no traces.
         )"_folded},
        {headers,
         headers_variable,
         secret,
         "",
         "",
         R"(
             Headers for the collector: `name=value`, comma-separated without blanks, values
             percent-encoded.
         )"_folded},
        {"telemetry.service_name",
         "OTEL_SERVICE_NAME",
         text,
         "postrider",
         "",
         "`service.name` of the traces."},
        {disabled,
         "OTEL_SDK_DISABLED",
         text,
         "false",
         "",
         "`true`: no traces, regardless of the other settings."},
        {exporter, "OTEL_TRACES_EXPORTER", text, "otlp", "", "`none`: no traces."},
    };
}

void read_telemetry(
    base::settings const& settings, config& into, std::vector<std::string>& problems
) {
    auto& telemetry = into.telemetry;
    telemetry.endpoint = settings.text(endpoint);
    telemetry.service = settings.text("telemetry.service_name");
    telemetry.version = this_version().product;
    if (telemetry.endpoint.empty()) return;
    if (is_switched_off(settings)) {
        telemetry.endpoint.clear();
        return;
    }
    // A shared variable that is of no use here stops no command: there are no traces, and a warning.
    auto const report = [&](std::string problem, std::string_view key, std::string_view variable) {
        if (is_from(settings, key, variable))
            telemetry.unusable = std::move(problem);
        else
            problems.push_back(std::move(problem));
    };
    if (auto problem = problem_with_endpoint(telemetry.endpoint))
        report(std::move(*problem), endpoint, endpoint_variable);
    for (auto const& word : base::split_words(settings.secret(headers).reveal())) {
        if (auto header = header_from(word))
            telemetry.headers.push_back(std::move(*header));
        else
            report(std::string(headers) + ": " + header.error().detail, headers, headers_variable);
    }
    if (!telemetry.unusable.empty()) telemetry.endpoint.clear();
}

} // namespace postrider::server
