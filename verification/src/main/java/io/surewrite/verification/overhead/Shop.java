package io.surewrite.verification.overhead;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application that is measured. */
@SpringBootApplication
public class Shop {}
