#pragma once
// A collector of traces: a real HTTP server on a port and a thread of its own, which keeps what is
// posted to it and answers as it is told. May be used from any thread.
#include "base/clock.hpp"

#include <boost/json/value.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

struct collected_request {
    std::string path;
    std::map<std::string, std::string> headers; // names in lower case
    std::string text;
    boost::json::value body;
};

struct collector_answer {
    int status = 200;
    std::string body = "{}";
    std::string retry_after = {}; // the header; empty = without it
};

class fake_collector {
public:
    fake_collector();
    ~fake_collector();
    fake_collector(fake_collector const&) = delete;

    std::string address() const; // "http://127.0.0.1:4318"
    // Of the next requests, one each; then 200 again.
    void answer(std::vector<collector_answer> next);
    // False when so many did not come in time.
    bool wait_for(std::size_t requests, base::duration limit = std::chrono::seconds{20}) const;
    std::vector<collected_request> requests() const;
    // Of all requests.
    std::vector<boost::json::object> spans() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

// The value of an attribute as text: "" where the span has none of that name.
std::string attribute_of(boost::json::object const& span, std::string_view key);
// The first of that name; throws where there is none.
boost::json::object span_named(
    std::vector<boost::json::object> const& spans, std::string_view name
);

} // namespace postrider::tests
