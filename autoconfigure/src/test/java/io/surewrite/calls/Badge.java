package io.surewrite.calls;

import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** A row over which calls compete, as a whole: one register. */
@Table("badge")
record Badge(@PrimaryKey String name, String login, String mark, String remark) {

    static final String DDL = "CREATE TABLE badge (name text PRIMARY KEY, login text, mark text, remark text)";

    String content() {
        return login + " " + mark + " " + remark;
    }
}
