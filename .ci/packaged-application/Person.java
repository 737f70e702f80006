package com.example.packaged;

import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

@Table("packaged_person")
public record Person(@PrimaryKey UUID id, String login, String city) {}
