#pragma once
// Commands as a person gives them, with a database of their own.
#include "server/cli/run.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace postrider::tests {

class database_commands : public testing::Test {
protected:
    struct outcome {
        int code;
        std::string out;
        std::string err;
    };

    explicit database_commands(test_database::content content = test_database::content::migrated)
        : database(content) {}

    outcome run_with(std::vector<std::string> const& args, base::environment environment = {}) {
        std::ostringstream out, err;
        environment["DATABASE_URL"] = database.url();
        int const code = cli::run(args, environment, out, err);
        return {code, out.str(), err.str()};
    }

    test_database database;
};

} // namespace postrider::tests
