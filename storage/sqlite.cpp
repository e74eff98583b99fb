#include "storage/sqlite.h"

#include "storage/damaged_error.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <sqlite3.h>
#include <thread>

namespace triaxis::sqlite
{
namespace
{

constexpr int busyMilliseconds = 10000;

[[noreturn]] void fail(sqlite3* handle, const std::filesystem::path& file, int code)
{
    const std::string why =
        file.string() + ": " + (handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        throw DamagedError(why);
    case SQLITE_FULL:
        throw Error("cannot write the history", why, "make room on the disk");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw Error("cannot use the history", why, "another program holds it; try again");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        throw Error("cannot open the history", why, "check the permissions of the folder");
    case SQLITE_IOERR:
        throw Error("cannot use the history", why, "make room on the disk, and check that it is sound");
    default:
        throw Error("cannot use the history", why);
    }
}

void check(const Database& database, int code)
{
    if (code != SQLITE_OK)
        fail(database.handle(), database.file(), code);
}

} // namespace

void Database::Close::operator()(sqlite3* handle) const noexcept
{
    sqlite3_close_v2(handle);
}

Database::Database(const std::filesystem::path& file) : m_file(file)
{
    sqlite3* handle = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
    m_handle.reset(handle);
    if (code != SQLITE_OK)
        fail(handle, file, code);
    check(*this, sqlite3_extended_result_codes(handle, 1));
    check(*this, sqlite3_busy_timeout(handle, busyMilliseconds));
    logAhead();
    execute("PRAGMA synchronous=NORMAL");
    execute("PRAGMA foreign_keys=ON");
}

/// Programs that make the same file at once meet at this change; SQLite does not wait there by
/// itself.
void Database::logAhead()
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(busyMilliseconds);
    for (;;) {
        const int code =
            sqlite3_exec(handle(), "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
        if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() > end)
            return check(*this, code);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void Database::execute(const std::string& sql)
{
    check(*this, sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::changeStamp()
{
    Statement others(*this, "PRAGMA data_version");
    others.step();
    return (others.integer(0) << 32) + sqlite3_total_changes(handle());
}

int Database::userVersion()
{
    Statement query(*this, "PRAGMA user_version");
    return query.step() ? int(query.integer(0)) : 0;
}

void Database::setUserVersion(int version)
{
    execute("PRAGMA user_version=" + std::to_string(version));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const noexcept
{
    sqlite3_finalize(statement);
}

Statement::Statement(const Database& database, const std::string& sql) : m_database(database)
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), int(sql.size()) + 1,
                                        &statement, nullptr);
    m_handle.reset(statement);
    check(database, code);
}

Statement& Statement::bind(int position, std::int64_t value)
{
    check(m_database, sqlite3_bind_int64(m_handle.get(), position, value));
    return *this;
}

Statement& Statement::bind(int position, double value)
{
    check(m_database, std::isnan(value) ? sqlite3_bind_null(m_handle.get(), position)
                                        : sqlite3_bind_double(m_handle.get(), position, value));
    return *this;
}

Statement& Statement::bind(int position, const std::string& value)
{
    check(m_database, sqlite3_bind_text64(m_handle.get(), position, value.data(), value.size(),
                                          SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

bool Statement::step()
{
    const int code = sqlite3_step(m_handle.get());
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        fail(m_database.handle(), m_database.file(), code);
    return false;
}

void Statement::run()
{
    while (step()) {
    }
    reset();
}

void Statement::reset()
{
    sqlite3_reset(m_handle.get());
    sqlite3_clear_bindings(m_handle.get());
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_handle.get(), column);
}

double Statement::real(int column) const
{
    if (sqlite3_column_type(m_handle.get(), column) == SQLITE_NULL)
        return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(m_handle.get(), column);
}

std::string Statement::text(int column) const
{
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_handle.get(), column));
    return text ? std::string(text, std::size_t(sqlite3_column_bytes(m_handle.get(), column)))
                : std::string();
}

Transaction::Transaction(Database& database) : m_database(database)
{
    m_database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction()
{
    if (m_open)
        sqlite3_exec(m_database.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit()
{
    m_database.execute("COMMIT");
    m_open = false;
}

} // namespace triaxis::sqlite
