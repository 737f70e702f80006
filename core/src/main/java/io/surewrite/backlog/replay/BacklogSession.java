package io.surewrite.backlog.replay;

import com.datastax.oss.driver.api.core.CqlSession;

/**
 * A session whose writes may wait in a backlog.
 *
 * @param name tells in the file, also after a restart, which session an entry is for: the name of its bean
 * @param session does the writes; it stays open
 */
public record BacklogSession(String name, CqlSession session) {}
