#include "http/enter.hpp"
#include "http/epoll_server.hpp"

namespace compare {
namespace {

const EnterHttp<epoll::Server<1>> kOne("limit-epoll",
                                       "a loop around epoll_wait, all of it by hand");
const EnterHttp<epoll::Server<2>> kTwo("limit-epoll-2",
                                       "the same on two threads, as many as we have");

}  // namespace
}  // namespace compare
