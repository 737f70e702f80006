package io.surewrite.verification.report;

import java.util.List;

/**
 * A part of the report.
 *
 * @param title of it
 * @param lines of text before the table
 * @param head of the table's columns
 * @param rows of the table; none means that there is no table
 */
record Section(String title, List<String> lines, List<String> head, List<List<String>> rows) {}
