package io.surewrite.autoconfigure;

import io.surewrite.autoconfigure.UniqueApplication.Members;
import io.surewrite.test.CassandraTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Base class of tests with an application whose repositories have unique values. */
abstract class UniqueApplicationTest extends CassandraTest {

    static ConfigurableApplicationContext application;
    static Members members;

    @BeforeAll
    static void start() {
        application = UniqueApplication.start(session, connection());
        members = application.getBean(Members.class);
    }

    @AfterAll
    static void stop() {
        SpringApplication.exit(application);
    }
}
