package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.unique.DuplicateValueException;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntPredicate;
import org.springframework.stereotype.Component;

/** Many check that a login is free, and all find it free. */
@Component
class OneLogin implements Experiment {

    private static final int PEOPLE = 8;
    private static final int SLOWEST_MILLIS = 60;

    private final PlainRows rows;
    private final LabMembers members;

    OneLogin(PlainRows rows, LabMembers members) {
        this.rows = rows;
        this.members = members;
    }

    @Override
    public String name() {
        return "login";
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        String login = "anna " + UUID.randomUUID();
        run.watch("somebody", login);
        return register(run, person -> registerPlainly(login, LabRow.text(login, "Person " + person)));
    }

    private boolean registerPlainly(String login, LabRow row) {
        if (rows.existsById(login)) {
            return false;
        }
        rows.insert(row);
        return true;
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        String login = "anna " + UUID.randomUUID();
        run.watch("somebody", login);
        Queue<UUID> welcomed = new ConcurrentLinkedQueue<>();
        try {
            return register(run, person -> {
                UUID id = UUID.randomUUID();
                try {
                    members.insert(new LabMember(id, login));
                    return welcomed.add(id);
                } catch (DuplicateValueException taken) {
                    return false;
                }
            });
        } finally {
            members.deleteAllById(welcomed); // neither rows nor claims stay
        }
    }

    private static Verdict register(Run run, IntPredicate registration) throws Exception {
        run.faults((message, random) ->
                message.isRead() ? Fate.FINE : Fate.slow(random.nextInt(SLOWEST_MILLIS / 3, SLOWEST_MILLIS)));
        run.begin();
        int welcome = run.atOnce(PEOPLE, "Person", person -> {
            boolean isWelcome = registration.test(person);
            run.say("hears: " + (isWelcome ? "welcome" : "taken"));
            return isWelcome;
        });
        run.settle();
        return new Verdict("%d of %d people hear “welcome”".formatted(welcome, PEOPLE), welcome == 1);
    }
}
