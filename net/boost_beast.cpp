// Beast's and Asio's TLS bodies, compiled once for the whole program.
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
