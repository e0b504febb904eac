#include "server/start/mcp_settings.hpp"

#include "agent/describe/folded_text.hpp"
#include "agent/mcp/revision.hpp"
#include "server/start/version.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::server {

namespace {

namespace mcp = agent::mcp;
using base::settings;
using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

std::string revisions() {
    std::string all{mcp::stateless_revision};
    for (auto const revision : mcp::handshake_revisions) all.append("|").append(revision);
    return all;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// It begins the names of the server's tools, as models know them.
bool is_server_name(std::string_view name) {
    return !name.empty() && name.size() <= 32 && std::ranges::all_of(name, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

bool is_variable(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
    });
}

bool is_field(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
    });
}

class server_reader {
public:
    server_reader(
        settings const& values,
        std::string const& name,
        config const& into,
        std::vector<std::string>& problems
    )
        : from_(values),
          name_(name),
          config_(into),
          problems_(problems) {}

    mcp::server_options options() {
        mcp::server_options options;
        if (!is_server_name(name_)) complain("a name is up to 32 of A-Z, a-z, 0-9, _ and -");
        if (text("command").empty() == text("url").empty())
            complain("it needs a command or a url, and not both");
        if (text("command").empty())
            read_address(options);
        else
            read_command(options);
        options.limits.bytes = static_cast<std::size_t>(from_.integer(key("largest_message")));
        options.client.name = name_;
        options.client.handshake.identity = {"postrider", std::string(this_version().product)};
        options.client.handshake.revision = text("revision");
        options.client.handshake.timeout = from_.span(key("connect_timeout"));
        options.client.call_timeout = from_.span(key("timeout"));
        options.client.longest_call = from_.span(key("longest_call"));
        if (options.client.longest_call < options.client.call_timeout)
            complain("longest_call is shorter than timeout");
        return options;
    }

private:
    std::string key(std::string_view row) const { return "mcp." + name_ + "." + std::string(row); }
    std::string const& text(std::string_view row) const { return from_.text(key(row)); }
    void complain(std::string const& problem) {
        problems_.push_back("mcp." + name_ + ": " + problem);
    }

    void read_address(mcp::server_options& options) {
        for (auto const* row : {"environment", "secret_environment"})
            if (!text(row).empty()) complain(fmt::format("{} is for a command", row));
        auto const address = net::parse_base_url(text("url"));
        if (address)
            options.address = *address;
        else if (!text("url").empty())
            complain("url: " + address.error().detail);
        if (auto const bearer = from_.secret(key("bearer")); !bearer.empty())
            options.headers.emplace_back(
                "Authorization", base::secret("Bearer " + bearer.reveal())
            );
        read_credential(options);
        read_pairs("headers", is_field, options.headers);
        read_secrets("secret_headers", is_field, options.headers);
    }

    std::vector<std::string> names_of_credentials() const {
        std::vector<std::string> names;
        for (auto const& entry : config_.credentials) names.push_back(entry.first);
        return names;
    }

    void read_credential(mcp::server_options& options) {
        auto const& name = text("credential");
        if (name.empty()) return;
        if (!text("bearer").empty()) complain("it needs a bearer or a credential, and not both");
        auto const entry = config_.credentials.find(name);
        if (entry == config_.credentials.end()) // somebody may have written the credential itself
            return complain(
                "credential: there is no [credentials.NAME] of this name" +
                base::suggestion(name, names_of_credentials())
            );
        auto const& credential = entry->second;
        if (credential.kind == net::credential_kind::query)
            return complain("credential: a server takes none in its query");
        if (!net::may_be_sent(credential, text("url")))
            return complain("credential: its hosts lack that of the url, or the url is not https");
        net::header_list proof;
        std::string target;
        net::prove(credential, proof, target);
        for (auto const& [header, value] : proof)
            options.headers.emplace_back(header, base::secret(value));
    }

    void read_command(mcp::server_options& options) {
        for (auto const* row : {"bearer", "credential", "headers", "secret_headers"})
            if (!text(row).empty()) complain(fmt::format("{} is for a url", row));
        mcp::child_command command;
        auto const words = from_.words(key("command"));
        if (!words.empty()) command.program = words.front();
        command.arguments.assign(words.begin() + (words.empty() ? 0 : 1), words.end());
        command.folder = text("folder");
        read_pairs("environment", is_variable, command.environment);
        read_secrets("secret_environment", is_variable, command.environment);
        command.limits = {
            .address_space = static_cast<std::uint64_t>(from_.integer(key("address_space"))),
            .open_files = static_cast<std::uint64_t>(from_.integer(key("open_files"))),
            .cpu_seconds = static_cast<std::uint64_t>(from_.integer(key("cpu_seconds")))};
        options.command = std::move(command);
    }

    using pairs = std::vector<std::pair<std::string, base::secret>>;

    // NAME=value, each.
    void read_pairs(std::string_view row, bool (*is_name)(std::string_view), pairs& into) {
        for (auto const& word : from_.words(key(row))) {
            auto const end = word.find('=');
            if (end == word.npos || !is_name(std::string_view(word).substr(0, end)))
                complain(fmt::format("{}: write NAME=value, and no comma in a value", row));
            else
                into.emplace_back(word.substr(0, end), base::secret(word.substr(end + 1)));
        }
    }

    // NAME=the name of a [secrets.NAME], each.
    void read_secrets(std::string_view row, bool (*is_name)(std::string_view), pairs& into) {
        pairs named;
        read_pairs(row, is_name, named);
        for (auto const& [name, secret] : named) {
            auto const entry = config_.secrets.find(secret.reveal());
            if (entry == config_.secrets.end())
                // Perhaps the secret itself, so it is not quoted.
                complain(fmt::format("{}: {} is to name a [secrets.NAME] that is there", row, name)
                );
            else
                into.emplace_back(name, entry->second);
        }
    }

    settings const& from_;
    std::string name_;
    config const& config_;
    std::vector<std::string>& problems_;
};

} // namespace

std::vector<base::setting> mcp_rows() {
    static mcp::client_options const usual;
    static auto const revision_names = revisions();
    static auto const connect_timeout = base::to_text(usual.handshake.timeout);
    static auto const timeout = base::to_text(usual.call_timeout);
    static auto const longest_call = base::to_text(usual.longest_call);
    static auto const largest = std::to_string(mcp::message_limits().bytes);
    static auto const files = std::to_string(mcp::child_limits().open_files);
    return {
        {"mcp.*.command",
         "",
         words,
         "",
         "",
         R"(
            Program and arguments of a server that postrider starts and talks to over pipes.
        )"_folded},
        {"mcp.*.folder", "", text, "/", "", "Working directory of the program."},
        {"mcp.*.environment",
         "",
         words,
         "",
         "",
         R"(
            Environment of the program: `NAME=value`. It gets these and a `PATH`, and inherits
            nothing.
        )"_folded},
        {"mcp.*.secret_environment",
         "",
         words,
         "",
         "",
         R"(
            Environment with secret values: `NAME=secret` passes the value of
            `[secrets.secret]`.
        )"_folded},
        {"mcp.*.address_space",
         "",
         integer,
         "0",
         "0..1000000000000",
         "Limit on the program's address space in bytes. 0: no limit, as Node requires."},
        {"mcp.*.open_files",
         "",
         integer,
         files,
         "16..65536",
         "Limit on the program's open files and sockets."},
        {"mcp.*.cpu_seconds", "", integer, "0", "0..100000000", R"(
            Limit on the program's processor time; the program is then killed. 0: no limit.
        )"_folded},
        {"mcp.*.url", "", url, "", "", "Address of a server with Streamable HTTP or HTTP+SSE."},
        {"mcp.*.bearer", "", secret, "", "", "Token, sent to `url` as `Authorization: Bearer`."},
        {"mcp.*.credential", "", text, "", "", R"(
            Name of a `[credentials.NAME]`, sent to `url`. Its hosts must include that of the `url`.
        )"_folded},
        {"mcp.*.headers", "", words, "", "", "Headers for requests to `url`: `Name=value`."},
        {"mcp.*.secret_headers", "", words, "", "", R"(
            Headers with secret values: `Name=secret` sends the value of `[secrets.secret]`.
        )"_folded},
        {"mcp.*.revision",
         "",
         text,
         "",
         revision_names,
         "Revision of the protocol. Empty: the newest that both sides support."},
        {"mcp.*.connect_timeout",
         "",
         span,
         connect_timeout,
         "1s..10min",
         "Time limit for the start and the handshake."},
        {"mcp.*.timeout",
         "",
         span,
         timeout,
         "1s..24h",
         "Time limit of a call that reports no progress."},
        {"mcp.*.longest_call",
         "",
         span,
         longest_call,
         "1s..24h",
         "Time limit of any call, with or without progress."},
        {"mcp.*.largest_message",
         "",
         integer,
         largest,
         "1024..67108864",
         "Maximum size of one message from the server, in bytes."},
    };
}

void read_mcp_servers(settings const& values, config& into, std::vector<std::string>& problems) {
    auto const names = values.names("mcp");
    for (auto const& name : names) {
        into.mcp_servers.emplace(name, server_reader(values, name, into, problems).options());
        for (auto const& other : names)
            if (name.starts_with(other + "_"))
                problems.push_back(fmt::format(
                    "mcp.{}: its tools could have the names of those of mcp.{}", name, other
                ));
    }
}

} // namespace postrider::server
