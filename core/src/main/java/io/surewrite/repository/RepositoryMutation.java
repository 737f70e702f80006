package io.surewrite.repository;

/** What a method of Spring Data's or ours, not of the application's, does to rows. */
enum RepositoryMutation {
    SAVE,
    INSERT,
    OVERWRITE,
    DELETE,
    TRUNCATE,
    PARTITION;

    boolean writesEntities() {
        return this == SAVE || this == INSERT || this == OVERWRITE;
    }
}
