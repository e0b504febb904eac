#include "agent/tools/tool.hpp"
#include "agent/tools/utc_offset.hpp"
#include "base/time_zone.hpp"

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
                       "UTC (the default), an IANA name such as Europe/Berlin, or a fixed offset "
                       "such as +02:00 or UTC-5."},
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
    auto const now = clock_.now();
    if (auto offset = parse_utc_offset(zone)) co_return base::to_iso8601(now, *offset);
    auto named = base::find_time_zone(zone);
    if (!named)
        co_return base::error(
            named.error().code, named.error().detail + "; fixed offsets are such as +02:00"
        );
    co_return base::to_iso8601(now, *named);
}

} // namespace

std::unique_ptr<tool> make_current_time(base::clock& clock) {
    return std::make_unique<current_time>(clock);
}

} // namespace postrider::agent
