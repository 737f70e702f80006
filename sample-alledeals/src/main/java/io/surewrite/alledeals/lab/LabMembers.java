package io.surewrite.alledeals.lab;

import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** The sure side of "one login, eight people". */
@UniqueBy(value = "login", name = "lab-login")
interface LabMembers extends CassandraRepository<LabMember, UUID> {}
