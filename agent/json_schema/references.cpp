#include "agent/json_schema/references.hpp"

#include "agent/json_schema/wording.hpp"
#include "base/json/pointer.hpp"

#include <boost/core/detail/string_view.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>

namespace postrider::agent::json_schema {

namespace urls = boost::urls;

base::result<address> resolve(std::string_view base, std::string_view reference) {
    auto const parsed =
        urls::parse_uri_reference(boost::core::string_view(reference.data(), reference.size()));
    if (!parsed) return base::error(base::errc::invalid, quote(reference) + " is no URI reference");
    auto const fragment = parsed->fragment();
    if (reference.starts_with('#')) return address{std::string(base), fragment};
    urls::url full(base);
    if (!full.resolve(*parsed))
        return base::error(base::errc::invalid, quote(reference) + " is no URI");
    full.remove_fragment();
    return address{std::string(full.buffer()), fragment};
}

void directory::add_anchor(std::string const& uri, std::string const& name, spot at) {
    anchors_[{uri, name}] = std::move(at);
}

base::result<spot> directory::find(address const& address) const {
    auto const resource = resources_.find(address.uri);
    if (resource == resources_.end())
        return base::error(
            base::errc::not_found,
            "leads out of this document: only references within it are followed"
        );
    auto target = resource->second;
    if (auto const named = anchors_.find({address.uri, address.fragment}); named != anchors_.end())
        return named->second;
    auto const steps = base::steps_of(address.fragment);
    if (!steps) return base::error(base::errc::not_found, "leads nowhere: there is no such anchor");
    for (auto const& step : *steps) {
        target.value = base::child_of(*target.value, step);
        if (!target.value)
            return base::error(
                base::errc::not_found,
                "leads nowhere: there is no " + quote(step) + " at " +
                    (target.pointer.empty() ? "the root" : cut(target.pointer, 100))
            );
        target.pointer = base::below(target.pointer, step);
    }
    return target;
}

} // namespace postrider::agent::json_schema
