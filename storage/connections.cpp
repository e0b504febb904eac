#include "storage/connections.hpp"

namespace postrider::storage {

namespace {

batcher_options writes(std::string name, std::string fault) {
    batcher_options made;
    made.name = std::move(name);
    made.fault_before = fault + ".before_commit";
    made.fault_after = fault + ".after_commit";
    return made;
}

batcher_options statements(std::string name) {
    batcher_options made;
    made.name = std::move(name);
    made.read_only = true; // no transaction around them
    return made;
}

} // namespace

std::vector<std::pair<std::string, batcher_counts>> connections::counts() const {
    return {
        {"intake", intake->counts()},
        {"checkpoints", checkpoints->counts()},
        {"quick", quick->counts()},
        {"beats", beats->counts()},
        {"reads", reads->counts()}};
}

void connections::close() {
    for (auto* one : {&reads, &beats, &quick, &checkpoints, &intake}) (*one)->close();
    upkeep->close();
    db->close();
}

connections connect(boost::asio::any_io_executor executor, database_options options) {
    auto batcher = [&](batcher_options how) {
        return make_batcher(executor, options, std::move(how));
    };
    connections made;
    made.db = open_database(executor, options);
    auto tidying = options;
    tidying.application = "postrider upkeep";
    tidying.readers = 1;
    made.upkeep = open_database(executor, tidying);
    made.intake = batcher(writes("intake", "ingest"));
    made.checkpoints = batcher(writes("checkpoints", "checkpoint"));
    made.quick = batcher(statements("quick"));
    made.beats = batcher(statements("beats"));
    made.reads = batcher(statements("reads"));
    return made;
}

} // namespace postrider::storage
