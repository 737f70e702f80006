package io.surewrite.schema;

import java.util.List;

/** The schema is not what the application needs; names every problem at once, and the fix. */
public final class SchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final List<String> problems;
    private final String fix;

    /**
     * Made when the tables are checked or created.
     *
     * @param problems what is wrong and where, a sentence each
     * @param fix what to do about it, with the CQL to run where that helps
     */
    public SchemaException(List<String> problems, String fix) {
        super(String.join("\n", problems) + "\n\n" + fix);
        this.problems = List.copyOf(problems);
        this.fix = fix;
    }

    /**
     * What is wrong.
     *
     * @return a sentence for each problem
     */
    public List<String> problems() {
        return problems;
    }

    /**
     * What to do about it.
     *
     * @return advice, with the CQL to run where that helps
     */
    public String fix() {
        return fix;
    }
}
