package com.example.features;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class FeaturesApplication {

    public static void main(String[] args) {
        System.exit(SpringApplication.exit(SpringApplication.run(FeaturesApplication.class, args)));
    }
}
