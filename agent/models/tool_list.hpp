#pragma once
// Tools as models are offered them: read-only and shared, so that no request copies their schemas.
// Copies are cheap. On the executor's thread.
#include <boost/json/object.hpp>

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace postrider::agent {

struct tool_spec {
    std::string name;
    std::string description;
    boost::json::object parameters; // JSON Schema, type object

    bool operator==(tool_spec const&) const = default;
};

class tool_list {
public:
    // The text in which an API declares tools.
    using declaration = std::string (*)(tool_list const& tools);

    tool_list() = default;
    tool_list(std::vector<tool_spec> specs);
    tool_list(std::initializer_list<tool_spec> specs) : tool_list(std::vector<tool_spec>(specs)) {}

    bool empty() const noexcept { return specs().empty(); }
    std::size_t size() const noexcept { return specs().size(); }
    tool_spec const& at(std::size_t index) const { return specs().at(index); }
    auto begin() const noexcept { return specs().begin(); }
    auto end() const noexcept { return specs().end(); }

    // As `declare` writes them. It is called once, by whichever copy asks first: the same tools go
    // with every request of an agent, and are its largest part.
    std::string const& declared_by(declaration declare) const;

private:
    struct shared {
        std::vector<tool_spec> specs;
        std::map<declaration, std::string> declared;
    };

    std::vector<tool_spec> const& specs() const noexcept;

    std::shared_ptr<shared> shared_; // null: none
};

} // namespace postrider::agent
