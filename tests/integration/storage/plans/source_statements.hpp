#pragma once
// Every storage::statement of the program, read from its source (sql/statements, and texts in C++): one
// that is added is found.
#include <filesystem>
#include <string>
#include <vector>

namespace postrider::tests {

struct source_statement {
    std::string file;
    std::string name; // as in pg_prepared_statements
    std::string sql;
};

// Of all rooms under `root`, by name. Throws where a definition is not understood.
std::vector<source_statement> statements_in_source(std::filesystem::path const& root);

} // namespace postrider::tests
