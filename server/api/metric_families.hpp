#pragma once
// Families of metrics in the making, for metrics.cpp and what belongs to it. Pure.
#include "base/measures.hpp"

#include <prometheus/metric_family.h>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::api {

class metric_families {
public:
    using label = prometheus::ClientMetric::Label;
    using labels = std::vector<label>;

    // Starts a family; the next samples belong to it. Names get the product's prefix, but for those
    // that OpenTelemetry has given.
    metric_families& counter(std::string name, std::string help) {
        return begin(std::move(name), std::move(help), prometheus::MetricType::Counter);
    }
    metric_families& gauge(std::string name, std::string help) {
        return begin(std::move(name), std::move(help), prometheus::MetricType::Gauge);
    }
    metric_families& histogram(std::string name, std::string help) {
        return begin(std::move(name), std::move(help), prometheus::MetricType::Histogram);
    }

    template<class Number>
    metric_families& sample(Number value, labels label_values = {}) {
        prometheus::ClientMetric metric;
        metric.label = with_values(std::move(label_values));
        if (families_.back().type == prometheus::MetricType::Counter)
            metric.counter.value = static_cast<double>(value);
        else
            metric.gauge.value = static_cast<double>(value);
        families_.back().metric.push_back(std::move(metric));
        return *this;
    }
    metric_families& sample(base::histogram const& value, labels label_values);

    std::vector<prometheus::MetricFamily> const& all() const { return families_; }

private:
    metric_families& begin(std::string name, std::string help, prometheus::MetricType type);
    // Prometheus takes an empty label for one that is not there.
    static labels with_values(labels label_values);

    std::vector<prometheus::MetricFamily> families_;
};

} // namespace postrider::api
