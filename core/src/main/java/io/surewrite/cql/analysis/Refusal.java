package io.surewrite.cql.analysis;

/**
 * One part of a write that makes it unfit for a retry.
 *
 * @param reason why it is refused
 * @param token the part of the text, or the column, that is refused
 * @param line the line of the token, from 1; 0 if there is no text, as for an entity
 * @param column the position of the token in its line, from 1; 0 if there is no text
 */
public record Refusal(RefusalReason reason, String token, int line, int column) {

    /** The refusal in one sentence for the user, with token, position, reason and fix. */
    public String message() {
        String where = line == 0 ? "" : " (line " + line + ", column " + column + ")";
        return "'" + token + "'" + where + ": " + reason.text() + ". Fix: " + reason.fix() + ".";
    }
}
