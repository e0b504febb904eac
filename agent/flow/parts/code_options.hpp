#pragma once
// What the operator says of nodes that run code.
#include <memory>
#include <string>

namespace postrider::agent::flow {

struct code_options {
    std::string node = "node"; // programs: paths, or names in the usual folders
    std::string python = "python3";
    // So many run at once in this process; the next ones are tried again later.
    int most_at_once = 4;
    std::shared_ptr<int> running = std::make_shared<int>(0); // copies share it
};

} // namespace postrider::agent::flow
