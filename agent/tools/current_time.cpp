#include "agent/tools/tool.hpp"
#include "agent/tools/utc_offset.hpp"

namespace postrider::agent {

namespace json = boost::json;

namespace {

class current_time final : public tool {
public:
    explicit current_time(base::clock& clock) : clock_(clock) {}

    tool_spec const& spec() const override { return spec_; }
    agent::risk risk() const override { return risk::low; }
    base::awaitable<base::result<std::string>> run(json::object arguments, tool_context context)
        override;

private:
    base::clock& clock_;
    tool_spec spec_{
        "current_time",
        "Returns the current date and time in ISO 8601.",
        {
            {"type", "object"},
            {"properties",
             json::object{
                 {"timezone",
                  json::object{
                      {"type", "string"},
                      {"description",
                       "UTC (the default) or a fixed offset such as +02:00 or UTC-5. Names of "
                       "places are not known: give the offset that holds there now."},
                  }},
             }},
            {"additionalProperties", false},
        },
    };
};

base::awaitable<base::result<std::string>> current_time::run(
    json::object arguments, tool_context /*context*/
) {
    std::string zone;
    if (auto given = arguments.if_contains("timezone")) zone = given->get_string();
    auto offset = parse_utc_offset(zone);
    if (!offset) co_return offset.error();
    co_return at_offset(clock_.now(), *offset);
}

} // namespace

std::unique_ptr<tool> make_current_time(base::clock& clock) {
    return std::make_unique<current_time>(clock);
}

} // namespace postrider::agent
