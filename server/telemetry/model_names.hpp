#pragma once
// Who provides a model, told by the name that a reply came with. Pure, immutable.
#include "agent/models/options.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::telemetry {

struct asked_model {
    std::string provider; // "anthropic"; "" = not known
    std::string name;     // as it was asked for: "claude-haiku-4-5"
};

class model_names {
public:
    using entries = std::map<std::string, agent::model_options, std::less<>>;

    explicit model_names(entries const& configured);

    // The configured or listed model of this name, or whose name stands before a date in it; the
    // longest of them, and of equal ones the configured; else the reported name alone.
    asked_model find(std::string_view reported) const;

private:
    std::vector<asked_model> configured_;
};

} // namespace postrider::telemetry
