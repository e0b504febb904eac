#pragma once
// A real Postgres for tests: one private cluster, in memory where there is room, shared by the test
// processes of a ctest run, and for each test a database of its own, copied from a template to which all
// migrations were applied once.
//
// `ctest` starts the cluster before the first test that needs it and stops it after the last (see
// tests/support/test_cluster.cpp). A test program run by hand starts it if need be and leaves it
// running; `test_cluster stop` ends it. It never waits for a disk.
#include "storage/database.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace postrider::tests {

// The cluster's folder.
std::filesystem::path test_cluster_folder();

// Starts the cluster, or joins it, and clears away what crashed tests left. Throws when it cannot.
void start_test_cluster();
// Stops it, unless another process uses it.
void stop_test_cluster();

// A conninfo of the cluster's own database, for commands about databases; starts the cluster.
std::string test_server();

// The server's programs, for storage::start_private_cluster(), with an initdb that does not wait
// for the disk: it takes a fifth of the time.
std::vector<std::filesystem::path> quick_programs();

// Runs commands outside a transaction, as "create database" wants it.
void run_script(std::string const& url, std::string_view sql);

class test_database {
public:
    // migrated: as the product finds it. empty: no schema at all.
    enum class content { migrated, empty };

    explicit test_database(content with = content::migrated);
    ~test_database(); // the process drops it later, together with others
    test_database(test_database const&) = delete;
    test_database& operator=(test_database const&) = delete;

    std::string const& name() const { return name_; }
    std::string const& url() const { return url_; }
    storage::database_options options() const;
    void execute(std::string_view sql) const { run_script(url_, sql); }
    // The first value of the first row as text, "" for none and for null.
    std::string value(std::string_view sql) const;

private:
    std::string name_;
    std::string url_;
};

} // namespace postrider::tests
