#include "server/start/credential_settings.hpp"

#include "agent/describe/folded_text.hpp"
#include "base/names.hpp"
#include "net/host_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::server {

namespace {

using base::settings;
using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;
using net::credential_kind;

constexpr base::names<credential_kind, 4> credential_kinds{{
    {credential_kind::bearer, "bearer"},
    {credential_kind::basic, "basic"},
    {credential_kind::header, "header"},
    {credential_kind::query, "query"},
}};

bool has_only(std::string_view text, std::string_view more) {
    return std::ranges::all_of(text, [more](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               more.find(c) != more.npos;
    });
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 64 && has_only(text, "_-");
}

bool is_field_value(std::string_view text) {
    return std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
}

class credential_reader {
public:
    credential_reader(
        settings const& values, std::string const& name, std::vector<std::string>& problems
    )
        : from_(values),
          name_(name),
          problems_(problems) {}

    net::credential read() {
        net::credential entry;
        entry.kind = base::named(credential_kinds, text("kind")).value_or(credential_kind::bearer);
        entry.name = text("name");
        entry.user = text("user");
        entry.value = from_.secret(key("value"));
        entry.hosts = from_.words(key("hosts"));
        review(entry);
        return entry;
    }

private:
    std::string key(std::string_view row) const {
        return fmt::format("credentials.{}.{}", name_, row);
    }
    std::string const& text(std::string_view row) const { return from_.text(key(row)); }
    void complain(std::string_view problem) {
        problems_.push_back(fmt::format("credentials.{}: {}", name_, problem));
    }

    void review(net::credential const& entry) {
        bool const has_name =
            entry.kind == credential_kind::header || entry.kind == credential_kind::query;
        if (!is_name(name_)) complain("a name is up to 64 of A-Z, a-z, 0-9, _ and -");
        if (entry.value.empty()) complain("it needs a value or a value_file");
        if (!is_field_value(entry.value.reveal())) complain("its value has control characters");
        if (entry.hosts.empty())
            complain("it needs hosts: it is sent to no other, for example api.example.org");
        for (auto const& host : entry.hosts)
            if (!net::is_host_pattern(host))
                complain(fmt::format(
                    "hosts: '{}' is no host; write example.org, *.example.org or 10.0.0.7:8080",
                    host
                ));
        if (has_name && !is_name(entry.name))
            complain(fmt::format("a {} needs the name of one", text("kind")));
        if (!has_name && !entry.name.empty()) complain("name is for a header or a query");
        if (entry.kind != credential_kind::basic && !entry.user.empty())
            complain("user is for basic");
        if (entry.user.find(':') != entry.user.npos) complain("user must not have a colon");
    }

    settings const& from_;
    std::string const& name_;
    std::vector<std::string>& problems_;
};

} // namespace

std::vector<base::setting> credential_rows() {
    return {
        {"credentials.*.kind", "", text, "bearer", "bearer|basic|header|query", R"(
            How a request carries the value: `Authorization: Bearer`, `Authorization: Basic`, a
            header or a parameter of the query.
        )"_folded},
        {"credentials.*.name", "", text, "", "", "Name of the header or the parameter."},
        {"credentials.*.user", "", text, "", "", "User of `basic`. The value is the password."},
        {"credentials.*.value",
         "POSTRIDER_CREDENTIAL_*",
         secret,
         "",
         "",
         "The token, password or key."},
        {"credentials.*.hosts", "", words, "", "", R"(
            Hosts that get it: `api.example.org`, `*.example.org` or `10.0.0.7:8080`. Required. It
            is sent over https only, except to local names and private addresses.
        )"_folded},
    };
}

void read_credentials(settings const& values, config& into, std::vector<std::string>& problems) {
    for (auto const& name : values.names("credentials"))
        into.credentials.emplace(name, credential_reader(values, name, problems).read());
}

} // namespace postrider::server
