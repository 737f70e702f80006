/**
 * What Surewrite does on one session, for applications that have several: a set of leases, unique values, overwrites,
 * journal and backlog for each. Repositories find the set of their own template by themselves.
 *
 * <pre>{@code
 * @Bean
 * SureSession archive(SureSessions sessions, @Qualifier("archiveTemplate") CassandraTemplate template) {
 *     return sessions.of(template);
 * }
 * }</pre>
 */
@NullMarked
package io.surewrite.session;

import org.jspecify.annotations.NullMarked;
