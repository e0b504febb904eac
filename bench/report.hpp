#pragma once
// What a measurement says: name=value, one per line.
#include "base/clock.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::bench {

class samples {
public:
    void add(base::duration sample) { all_.push_back(sample); }
    std::size_t size() const { return all_.size(); }

    // The value that this share (0 … 1) of the samples does not exceed; zero when there are none.
    base::duration quantile(double share) const;

private:
    std::vector<base::duration> all_;
};

double milliseconds(base::duration d);

// NAME_p50_ms, NAME_p99_ms and NAME_max_ms, as lines.
std::string to_lines(std::string_view name, samples const& of);

} // namespace postrider::bench
