#include "storage/client_environment.hpp"

#include <libpq-fe.h>
#include <memory>

namespace postrider::storage {

base::result<std::map<std::string, std::string>> client_environment(std::string const& url) {
    char* complaint = nullptr;
    std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed{
        PQconninfoParse(url.c_str(), &complaint), &PQconninfoFree};
    PQfreemem(complaint); // it may quote a password
    if (!parsed)
        return base::error(base::errc::invalid, "the database URL is not understood by libpq");
    std::map<std::string, std::string> variables;
    for (auto const* option = parsed.get(); option->keyword; ++option) {
        if (!option->val) continue;
        if (!option->envvar)
            return base::error(
                base::errc::invalid,
                std::string("psql cannot be told of the URL's ") + option->keyword
            );
        variables.emplace(option->envvar, option->val);
    }
    return variables;
}

} // namespace postrider::storage
