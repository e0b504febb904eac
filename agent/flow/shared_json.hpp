#pragma once
// A JSON value that does not change: its copies share it. An item that passes through nodes is kept
// by each of them until the execution ends, so it must not be copied there. Whoever wants another
// value copies this one and makes a new shared_json of it. Threads: as of a std::shared_ptr.
#include <boost/json/value.hpp>

#include <concepts>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace postrider::agent::flow {

class shared_json {
public:
    shared_json() = default; // null
    template<class T>
    requires(!std::same_as<std::remove_cvref_t<T>, shared_json> && std::convertible_to<T, boost::json::value>)
        // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): never of a shared_json itself
        shared_json(T&& value)
        : value_(std::make_shared<boost::json::value const>(std::forward<T>(value))) {}

    // One that was moved from is null.
    boost::json::value const& get() const noexcept {
        static boost::json::value const null;
        return value_ ? *value_ : null;
    }
    operator boost::json::value const&() const noexcept { return get(); }
    boost::json::value const& operator*() const noexcept { return get(); }

    boost::json::object const* if_object() const noexcept { return get().if_object(); }
    boost::json::object const& as_object() const { return get().as_object(); }
    boost::json::value const& at(std::string_view key) const { return get().at(key); }

private:
    std::shared_ptr<boost::json::value const> value_;
};

} // namespace postrider::agent::flow
