#pragma once
// Definitions for tests, of the parts that matter.
#include "agent/flow/validate/references.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

// A whole definition of these nodes, connections and settings, each as they stand in JSON.
inline std::string flow_text(
    std::string_view nodes, std::string_view connections = "", std::string_view settings = ""
) {
    return fmt::format(
        R"({{"format":1,"name":"test","settings":{{{}}},"nodes":[{}],"connections":[{}]}})",
        settings,
        nodes,
        connections
    );
}

// Its id is its name.
inline std::string node_text(
    std::string_view name,
    std::string_view type,
    std::string_view parameters = "",
    std::string_view more = ""
) {
    return fmt::format(
        R"({{"id":"{0}","name":"{0}","type":"{1}","parameters":{{{2}}}{3}{4}}})",
        name,
        type,
        parameters,
        more.empty() ? "" : ",",
        more
    );
}

inline std::string link_text(
    std::string_view from, std::string_view to, std::string_view more = ""
) {
    return fmt::format(R"({{"from":"{}","to":"{}"{}{}}})", from, to, more.empty() ? "" : ",", more);
}

inline bool documented(std::string_view code) {
    auto const is_reference = [&](agent::flow::reference const& reference) {
        return !reference.unknown.empty() && unknown_code(reference) == code;
    };
    return std::ranges::any_of(agent::flow::references(), is_reference) ||
           std::ranges::find(
               agent::flow::problem_codes(), code, &agent::flow::problem_code::code
           ) != agent::flow::problem_codes().end();
}

// "cycle /connections/3", in the order of the list.
inline std::vector<std::string> codes(std::vector<agent::flow::problem> const& problems) {
    std::vector<std::string> lines;
    for (auto const& problem : problems) {
        EXPECT_TRUE(documented(problem.code)) << problem.code;
        bool const mild = problem.severity == agent::flow::severity::warning;
        lines.push_back(problem.code + " " + problem.path + (mild ? " (warning)" : ""));
    }
    return lines;
}

inline std::vector<agent::flow::problem> problems_of_form(
    std::string_view text, agent::flow::definition_limits limits = {}
) {
    auto read = agent::flow::read_definition(text, limits);
    auto* problems = std::get_if<std::vector<agent::flow::problem>>(&read);
    return problems ? std::move(*problems) : std::vector<agent::flow::problem>();
}

inline agent::flow::definition read_flow(std::string_view text) {
    auto read = agent::flow::read_definition(text);
    if (auto* problems = std::get_if<std::vector<agent::flow::problem>>(&read)) {
        for (auto const& problem : *problems) ADD_FAILURE() << to_text(problem);
        return {};
    }
    return std::get<agent::flow::definition>(std::move(read));
}

} // namespace postrider::tests
