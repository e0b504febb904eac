#include "server/api/metric_families.hpp"

#include <limits>

namespace postrider::api {

metric_families& metric_families::sample(base::histogram const& value, labels label_values) {
    prometheus::ClientMetric metric;
    metric.label = with_values(std::move(label_values));
    auto const counts = value.cumulative();
    auto& histogram = metric.histogram;
    histogram.sample_count = counts.back();
    histogram.sample_sum = value.sum();
    for (std::size_t bucket = 0; bucket < value.bounds().size(); ++bucket)
        histogram.bucket.push_back({counts[bucket], value.bounds()[bucket]});
    histogram.bucket.push_back({counts.back(), std::numeric_limits<double>::infinity()});
    families_.back().metric.push_back(std::move(metric));
    return *this;
}

metric_families& metric_families::begin(
    std::string name, std::string help, prometheus::MetricType type
) {
    if (!name.starts_with("gen_ai_")) name.insert(0, "postrider_");
    families_.push_back({std::move(name), std::move(help), type, {}});
    return *this;
}

metric_families::labels metric_families::with_values(labels label_values) {
    std::erase_if(label_values, [](label const& each) { return each.value.empty(); });
    return label_values;
}

} // namespace postrider::api
