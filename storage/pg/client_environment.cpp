#include "storage/client_environment.hpp"

#include "storage/pg/conninfo.hpp"

#include <libpq-fe.h>
#include <memory>

namespace postrider::storage {

namespace {

bool is_secret(PQconninfoOption const& option) {
    return option.dispchar && option.dispchar[0] == '*';
}

// invalid URI query parameter: "foo"; invalid connection option "foo"
std::string unknown_parameter(std::string_view complaint) {
    for (std::string_view begin :
         {"invalid URI query parameter: \"", "invalid connection option \""}) {
        if (!complaint.starts_with(begin)) continue;
        complaint.remove_prefix(begin.size());
        return std::string(complaint.substr(0, complaint.find('"')));
    }
    return {};
}

} // namespace

base::result<client_connection> client_environment(std::string const& url) {
    char* complaint = nullptr;
    std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed{
        PQconninfoParse(url.c_str(), &complaint), &PQconninfoFree};
    PQfreemem(complaint); // it may quote a password
    if (!parsed)
        return base::error(base::errc::invalid, "the database URL is not understood by libpq");
    client_connection connection;
    for (auto const* option = parsed.get(); option->keyword; ++option) {
        if (!option->val) continue;
        if (!option->envvar && is_secret(*option))
            return base::error(
                base::errc::invalid,
                std::string("psql cannot be told of the URL's ") + option->keyword
            );
        auto& words = connection.words;
        if (option->envvar)
            connection.variables.emplace(option->envvar, option->val);
        else
            words.append(words.empty() ? "" : " ")
                .append(option->keyword)
                .append("=")
                .append(pg::in_quotes(option->val));
    }
    return connection;
}

std::optional<url_mistake> mistake_in(std::string const& url) {
    char* complaint = nullptr;
    std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> const parsed{
        PQconninfoParse(url.c_str(), &complaint), &PQconninfoFree};
    std::unique_ptr<char, decltype(&PQfreemem)> const said{complaint, &PQfreemem};
    if (parsed) return std::nullopt;
    return url_mistake{unknown_parameter(said ? said.get() : "")};
}

} // namespace postrider::storage
