#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace engine {

/// What kind of thing went wrong; the window and the commands choose their wording and exit by it.
enum class ErrorCode
{
    FileNotFound,
    FileUnreadable,
    FileWriteFailed,
    BadFormat,          ///< not the format it claims to be, or one of its values makes no sense
    Truncated,          ///< the file ends before its own header says it should
    UnsupportedFeature, ///< understood, but not something this program can run
    UnknownArchitecture,
    MissingTensor,
    BadShape,
    MissingTokenizer,
    InvalidArgument, ///< a value the user gave is out of its range
    ContextFull,
    Cancelled,
    NotFinite, ///< NaN or infinity where a number is needed
    OutOfMemory,
};

/// A failed call. `message` is one English sentence: where, what was expected, what was found, and
/// what to do where that is not plain. Example:
/// "model.gguf: tensor blk.0.attn_q.weight: expected shape [2048, 2048], found [2048, 1024]".
struct Error
{
    ErrorCode code = ErrorCode::BadFormat;
    std::string message;

    bool operator==(const Error&) const = default;
};

/// A value or the Error that kept it from being made. Names follow std::expected (C++23), so that
/// this can become an alias of it.
template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::move(value)) {}
    Result(Error error) : m_state(std::move(error)) {}

    explicit operator bool() const { return has_value(); }
    bool has_value() const { return std::holds_alternative<T>(m_state); }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(value()); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    T& value()
    {
        assert(has_value());
        return *std::get_if<T>(&m_state);
    }
    const T& value() const
    {
        assert(has_value());
        return *std::get_if<T>(&m_state);
    }
    const Error& error() const
    {
        assert(!has_value());
        return *std::get_if<Error>(&m_state);
    }

private:
    std::variant<T, Error> m_state;
};

/// The value of a call that has nothing to return but may fail.
struct Done
{
    bool operator==(const Done&) const = default;
};

} // namespace engine
