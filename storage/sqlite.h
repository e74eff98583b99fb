#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace triaxis::sqlite
{

/// A statement that is no longer valid SQL for what the file holds, a lock that lasts, a damaged
/// file: every failure of SQLite is an Error with its message. DamagedError is thrown where the
/// file itself is at fault.

/// One connection; belongs to one thread.
class Database
{
public:
    /// Opens or makes the file: write-ahead log, synchronous=NORMAL, foreign keys on, locks waited
    /// for up to 10 s.
    explicit Database(const std::filesystem::path& file);

    void execute(const std::string& sql);
    int userVersion();
    void setUserVersion(int version);
    /// Another value after every change through this object and after changes of other connections.
    std::int64_t changeStamp();
    sqlite3* handle() const { return m_handle.get(); }
    const std::filesystem::path& file() const { return m_file; }

private:
    struct Close
    {
        void operator()(sqlite3* handle) const noexcept;
    };
    void logAhead();

    std::filesystem::path m_file;
    std::unique_ptr<sqlite3, Close> m_handle;
};

/// A prepared statement. Bind by position from 1, then step() until it is false; columns count from
/// 0.
class Statement
{
public:
    Statement(const Database& database, const std::string& sql);

    Statement& bind(int position, std::int64_t value);
    Statement& bind(int position, int value) { return bind(position, std::int64_t(value)); }
    Statement& bind(int position, double value); ///< NaN becomes NULL
    Statement& bind(int position, const std::string& value);
    /// True if there is a row.
    bool step();
    /// For statements without rows: runs once and makes it ready for new values.
    void run();
    void reset();

    std::int64_t integer(int column) const;
    double real(int column) const; ///< NULL becomes NaN
    std::string text(int column) const;

private:
    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const noexcept;
    };
    const Database& m_database;
    std::unique_ptr<sqlite3_stmt, Finalize> m_handle;
};

/// Takes the write lock at once; rolls back unless committed.
class Transaction
{
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    Database& m_database;
    bool m_open = true;
};

} // namespace triaxis::sqlite
