package io.surewrite.alledeals;

import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the shop. */
@SpringBootApplication
@EnableScheduling
public class AlleDealsApplication {

    public static void main(String[] args) {
        SpringApplication.run(AlleDealsApplication.class, args);
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
