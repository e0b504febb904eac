#include "server/start/version.hpp"

#include "storage/schema.hpp"

#include <boost/version.hpp>

namespace postrider::server {

version_info const& this_version() {
    static version_info const info{
        POSTRIDER_VERSION,
        storage::newest_number(storage::embedded_schema()),
        BOOST_LIB_VERSION,
        POSTRIDER_PQXX_VERSION,
        __VERSION__};
    return info;
}

} // namespace postrider::server
