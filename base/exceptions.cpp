#include "base/exceptions.hpp"

#include <boost/system/system_error.hpp>

namespace postrider::base {

std::string reason_of(std::exception_ptr const& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (boost::system::system_error const& e) {
        return e.code().message(); // what() may hold more than a log line should
    } catch (std::exception const& e) {
        return e.what();
    } catch (...) {
        return "not a std::exception";
    }
}

} // namespace postrider::base
