#pragma once
// Published flows in a database of their own, and libraries that know them.
#include "agent/flow/library/library.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow {

inline std::string document(std::string_view name, std::string_view type = "manual", int mark = 0) {
    return tests::flow_builder(name).description(std::to_string(mark)).trigger("T", type).text();
}

class flow_library : public testing::Test {
protected:
    ~flow_library() override { db->close(); }

    void change(std::function<void(storage::transaction&)> work) {
        storage::run_blocking(database.options(), std::move(work)).value();
    }
    // Its next version.
    void publish(std::string_view name, std::string_view text) {
        change([&](storage::transaction& tx) {
            storage::create_flow(tx, name, text);
            auto const flow = storage::lock_flow(tx, name).value();
            auto const revision = storage::save_draft(tx, flow.id, text, flow.revision).value();
            storage::publish_draft(tx, flow.id, revision, "cli", "");
        });
    }
    void archive(std::string_view name) {
        change([&](storage::transaction& tx) {
            storage::archive_flow(tx, storage::lock_flow(tx, name)->id);
        });
    }

    library make(library_options options = {}) {
        return library(io.executor(), *db, types, options);
    }
    void refresh(library& of) { io.run(of.refresh()).value(); }
    auto find(library& in, std::string name, std::int64_t version) {
        return io.run(in.find(std::move(name), version));
    }

    tests::test_database database;
    tests::loop io;
    std::unique_ptr<storage::database> db =
        storage::open_database(io.executor(), database.options());
    catalog types = builtin_types();
};

} // namespace postrider::agent::flow
