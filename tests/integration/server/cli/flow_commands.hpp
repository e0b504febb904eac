#pragma once
// `postrider flows …` against a database of its own, with a file to import from.
#include "server/cli/run.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace postrider::cli {

inline constexpr auto greeter = R"({
  "format": 1,
  "name": "greeter",
  "nodes": [
    {"id": "in", "name": "In", "type": "manual"}
  ]
}
)";

class flow_commands : public testing::Test {
protected:
    struct outcome {
        int code;
        std::string out;
        std::string err;
    };

    ~flow_commands() override { std::filesystem::remove(file); }

    outcome run_with(std::vector<std::string> args) {
        args.insert(args.begin(), "flows");
        std::ostringstream out, err;
        int const code = run(args, {{"DATABASE_URL", database.url()}}, out, err);
        return {code, out.str(), err.str()};
    }
    boost::json::value json_of(std::vector<std::string> args) {
        args.push_back("--json");
        auto const done = run_with(std::move(args));
        EXPECT_EQ(done.code, 0) << done.err;
        return boost::json::parse(done.out);
    }
    std::string written(std::string_view text) {
        std::ofstream(file) << text;
        return file;
    }

    // Nothing yet: flows may be imported before the first start.
    tests::test_database database{tests::test_database::content::empty};
    std::string file = std::filesystem::temp_directory_path() / (database.name() + ".json");
};

} // namespace postrider::cli
