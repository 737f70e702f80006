package io.surewrite.alledeals.lab;

import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** Somebody with a login that nobody else may have. */
@Table("cass_lab_member")
record LabMember(@PrimaryKey UUID id, String login) {}
