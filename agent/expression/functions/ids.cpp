// Ids that are new in every execution, and the same whenever a part of it is replayed.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <array>

namespace postrider::agent::expressions {

namespace {

// Of all names that are made here; chosen once, at random.
boost::uuids::uuid const& name_space() {
    static auto const chosen =
        boost::uuids::string_generator{}("5f2c1f0e-9f0a-4f5b-8f0d-6a1d3b7e42c9");
    return chosen;
}

fallible<operand> uuid(call const& call) {
    auto const identity = call.names.identity();
    if (identity.empty()) return failure{"there is no execution here whose ids these could be"};
    if (!call.budget.spend_bytes(identity.size())) return call.budget.failure();
    auto const name = identity + '/' + std::to_string(call.budget.count_id());
    boost::uuids::name_generator_sha1 generate{name_space()};
    return text_operand(boost::uuids::to_string(generate(name)));
}

constexpr std::array ids_functions{
    function{
        "uuid",
        0,
        0,
        uuid,
        R"doc(a new id; a replay of the step returns the same one
uuid().size() → 36)doc",
        true},
};

} // namespace

function_family const ids_family{"Ids", ids_functions};

} // namespace postrider::agent::expressions
