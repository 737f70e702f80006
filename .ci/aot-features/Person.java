package com.example.features;

import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

@Table("person")
public record Person(@PrimaryKey UUID id, String login, String email) {}
