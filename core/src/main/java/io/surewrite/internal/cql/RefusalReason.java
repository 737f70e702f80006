package io.surewrite.internal.cql;

/**
 * Why a statement is not idempotent, or why that cannot be told, and the fix; {@code docs/idempotence.md} has each by its name.
 */
enum RefusalReason {
    SERVER_VALUE(
            "the server computes it anew at every attempt",
            "make the value in the client, once a call, and bind it as a parameter"),
    UNKNOWN_FUNCTION(
            "a function may answer another value the next time",
            "compute the value in the client and bind it as a parameter"),
    NOW_LITERAL(
            "Cassandra reads the text 'now' as the current time wherever a timestamp is wanted",
            "bind the value as a parameter"),
    EXPRESSION(
            "the placeholder is evaluated again at every attempt and may give another value",
            "pass the value as a method parameter; plain parameter paths such as :#{#user.name} are accepted"),
    CONDITION(
            "a condition may find its own earlier attempt: a retry cannot tell that from another writer's row",
            "let the statement, outside of a batch, write a uuid column by a parameter @WriteId UUID, so that the row tells; or leave the condition out, for a lease or a unique constraint"),
    COUNTER(
            "every attempt counts again",
            "record each event as a row of its own under a client-side id and sum them up when reading"),
    LIST_CHANGE(
            "elements of a non-frozen list are addressed by position or by server-made ids: a retry changes it again",
            "use a set, a map or a frozen list"),
    LIST_OVERWRITE(
            "overwriting a non-frozen list twice with one timestamp keeps the elements of both attempts",
            "use a set, a map or a frozen list, or write null"),
    RELATIVE_TTL(
            "a time to live counts from each attempt, so a retry extends it",
            "leave it out (on a table with a default, say USING TTL 0), or accept the extension: @Idempotent(extendTtl = true)"),
    JSON_VALUE(
            "the text cannot be looked into: it may hold a non-frozen list, or the word now for a timestamp",
            "name the columns: INSERT INTO ... (...) VALUES (...)"),
    UNKNOWN_TABLE(
            "the session's schema metadata has no such table, so nobody can tell what the statement does",
            "create the table first, name its keyspace, and keep the driver's schema metadata enabled"),
    UNKNOWN_COLUMN(
            "the session's schema metadata has no such column in this table, so nobody can tell what the statement does",
            "correct the name or bring the schema up to date"),
    NOT_A_ROW_WRITE(
            "only SELECT, INSERT, UPDATE, DELETE and batches of them may be retried",
            "take the statement out of the idempotent method"),
    NOT_UNDERSTOOD(
            "this part of the statement was not understood, and what is not understood is not retried",
            "write the statement in a plain form (INSERT, UPDATE or DELETE with =, IN and bound values), or bind the value as a parameter");

    private final String text;
    private final String fix;

    RefusalReason(String text, String fix) {
        this.text = text;
        this.fix = fix;
    }

    public String text() {
        return text;
    }

    public String fix() {
        return fix;
    }
}
