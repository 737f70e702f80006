package io.surewrite.calls;

import java.util.regex.Pattern;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * What one statement writes: a row that no other statement writes, so that it stays to be looked at, and the newest note of
 * the board, over which all its notes compete.
 *
 * @param mark names the statement
 * @param latest the newest of the board: of plain boards this mark, of those under leases all marks, oldest first
 */
@Table("note")
record Note(
        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) String board,

        @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED) String mark,

        String text,

        @Column(isStatic = true) String latest) {

    static final String DDL =
            "CREATE TABLE note (board text, mark text, text text, latest text static, PRIMARY KEY (board, mark))";

    /** Run, call and statement. What {@link #latest} has of others' looks different. */
    static final Pattern MARK = Pattern.compile("m\\d\\d-\\d{6}\\.\\d");

    static final Pattern BOARD = Pattern.compile("b\\d\\d-[pl]\\d\\d");

    static Note on(String board, String mark) {
        return new Note(board, mark, "text", mark);
    }

    /** {@return this note behind those that are there, if it is not there yet} */
    Note after(String before) {
        String mine = "<" + mark.substring(1) + ">";
        return new Note(board, mark, text, before.contains(mine) ? before : before + mine);
    }
}
