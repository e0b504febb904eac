// `version`: of the program and of what it was built with.
#include "server/start/version.hpp"

#include "base/json/text.hpp"
#include "server/cli/command.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

int run_version(context const& in) {
    auto const& v = server::this_version();
    if (in.json) {
        in.out << base::json_text(json::object{
                      {"version", v.product},
                      {"schema", v.schema},
                      {"boost", v.boost},
                      {"libpqxx", v.libpqxx},
                      {"compiler", v.compiler}})
               << '\n';
        return 0;
    }
    in.out << fmt::format(
        "postrider {}\nschema    {}\nBoost     {}\nlibpqxx   {}\ncompiler  {}\n",
        v.product,
        v.schema,
        v.boost,
        v.libpqxx,
        v.compiler
    );
    return 0;
}

} // namespace

namespace commands {

extern constinit command const version{
    .path = "version",
    .summary = "Print versions",
    .example = "postrider version",
    .prepare = without_options<run_version>,
    .settings = settings_need::as_given};

} // namespace commands

} // namespace postrider::cli
