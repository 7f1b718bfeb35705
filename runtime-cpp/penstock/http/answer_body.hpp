#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/optional/optional.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace penstock::http {

/// The body of an answer: a text of its own, or one that outlives all answers and takes none of
/// their memory.
struct AnswerBody {
  struct value_type {
    std::string own;
    std::string_view constant;

    [[nodiscard]] std::string_view text() const {
      return constant.empty() ? std::string_view(own) : constant;
    }
  };

  static std::uint64_t size(const value_type& body) { return body.text().size(); }

  class writer {
   public:
    using const_buffers_type = boost::asio::const_buffer;
    template <bool is_request, class Fields>
    writer(const boost::beast::http::header<is_request, Fields>& /*head*/, const value_type& body)
        : body_(body) {}
    static void init(boost::system::error_code& error) { error = {}; }
    /// All of it at once.
    boost::optional<std::pair<const_buffers_type, bool>> get(boost::system::error_code& error) {
      error = {};
      const std::string_view text = body_.text();
      return {{const_buffers_type(text.data(), text.size()), false}};
    }

   private:
    const value_type& body_;
  };
};

}  // namespace penstock::http
