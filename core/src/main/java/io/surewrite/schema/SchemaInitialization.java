package io.surewrite.schema;

/** When missing tables are created; when they are not, they are checked. */
public enum SchemaInitialization {

    /** Never: an operator runs the DDL. */
    NEVER,

    /** Only on the embedded server of development and tests. */
    EMBEDDED,

    /** On every server. Not for several instances that start at the same time. */
    ALWAYS
}
