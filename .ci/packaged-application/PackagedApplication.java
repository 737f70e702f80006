package com.example.packaged;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.unique.DuplicateValueException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;

/** Does what each application with Surewrite can do, on a thread of the application's executor: once, or in two contexts at the same time. */
@SpringBootApplication
public class PackagedApplication {

    public static void main(String[] args) throws Exception {
        List<String> arguments = List.of(args);
        try (ConfigurableApplicationContext one = SpringApplication.run(PackagedApplication.class, args)) {
            if (arguments.contains("--twice")) {
                try (ConfigurableApplicationContext other = SpringApplication.run(PackagedApplication.class, args)) {
                    use(other);
                }
            }
            use(one);
            if (arguments.contains("--restart")) {
                Restart.restartOnce(one);
            }
            System.out.println("ALL OF IT WORKS");
        }
    }

    private static void use(ConfigurableApplicationContext context) throws Exception {
        AsyncTaskExecutor executor = context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
        Callable<Boolean> work = () -> {
            write(context.getBean(People.class), context.getBean(LeaseLocks.class));
            return isVirtual();
        };
        boolean virtual = executor.submit(work).get();
        boolean expected = context.getEnvironment().getProperty("spring.threads.virtual.enabled", boolean.class, false)
                && Runtime.version().feature() >= 21;
        require(virtual == expected, "runs on a virtual thread: " + virtual);
    }

    private static void write(People people, LeaseLocks locks) throws Exception {
        UUID id = UUID.randomUUID();
        String login = "anna-" + id;
        people.insert(new Person(id, login, "Bern"));
        try {
            people.insert(new Person(UUID.randomUUID(), login, null));
            require(false, "a value is given twice");
        } catch (DuplicateValueException expected) {
            System.out.println(expected.getMessage());
        }
        try (Lease lease = locks.tryAcquire(login).orElseThrow()) {
            require(lease.isHeld() && locks.tryAcquire(login).isEmpty(), "a lease is held");
        }
        people.overwrite(new Person(id, login, null));
        require(people.findById(id).orElseThrow().city() == null, "a row is overwritten");
    }

    private static boolean isVirtual() throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("FAILED: " + what);
        }
    }
}
