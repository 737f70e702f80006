package io.surewrite.alledeals.user;

import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.alledeals.web.ProblemType;
import io.surewrite.unique.UniqueFinder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Registers users and finds them. */
@Service
public class UserService {

    private final UserRepository users;
    private final UniqueFinder finder;
    private final UserJournal journal;
    private final SeenUsers seen;

    UserService(UserRepository users, UniqueFinder finder, UserJournal journal, SeenUsers seen) {
        this.users = users;
        this.finder = finder;
        this.journal = journal;
        this.seen = seen;
    }

    /**
     * Registers a user, or puts the details of one who is registered already in place of the earlier ones. The same
     * user again changes nothing.
     */
    public boolean register(User user) {
        Optional<User> before = find(user.id());
        users.overwrite(user);
        remember(user);
        return before.isEmpty();
    }

    /**
     * Puts a profile in place of the earlier one, whole: what is null is cleared, at the cost of one row deletion and no
     * tombstone that a read would count.
     */
    User replaceProfile(UUID id, ProfileDetails profile) {
        User after = users.overwrite(profile.of(get(id)));
        remember(after);
        return after;
    }

    /**
     * Records a change. A removal that came between the row and this has found nothing to forget: then the row is gone,
     * and what was recorded goes, too.
     */
    private void remember(User user) {
        if (journal.record(user) && users.findById(user.id()).isEmpty()) {
            journal.forget(user.id());
        }
    }

    /** Tells what every attribute of a user ever was. */
    Map<String, List<UserJournal.Entry>> journal(UUID id, int size) {
        return journal.of(get(id), size);
    }

    /**
     * Removes a user, if there is one: the row with its claims, then all that the journal ever recorded. Items and
     * purchases stay, under the user's id.
     *
     * <p>The row goes first: whoever records a change after that sees that it is gone. If the journal cannot be reached, or
     * the process ends between the two, the same call again does what is left, also when there is no row any more.
     */
    void remove(UUID id) {
        users.deleteById(id);
        seen.remove(id);
        journal.forget(id);
    }

    /** Finds a user who must be there. */
    public User get(UUID id) {
        return find(id).orElseThrow(
                        () -> new ProblemException(ProblemType.USER_NOT_FOUND, "No user has the id %s.".formatted(id)));
    }

    /**
     * Finds the user who has a login. The claim that keeps the login unique leads to the user: no index, no second table.
     */
    User getByLogin(String login) {
        return finder.findKey(UserRepository.BY_LOGIN, login)
                .map(key -> key.get("user_id"))
                .map(UUID.class::cast)
                .flatMap(this::find)
                .filter(user -> user.login().equalsIgnoreCase(login)) // it may have changed since
                .orElseThrow(() ->
                        new ProblemException(ProblemType.USER_NOT_FOUND, "No user has the login %s.".formatted(login)));
    }

    /** Finds a user who may be there. */
    public Optional<User> find(UUID id) {
        return users.findById(id);
    }

    /** Finds several users. */
    List<User> find(Collection<UUID> ids) {
        return users.findAllById(ids);
    }
}
