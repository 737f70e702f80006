package io.surewrite.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import io.surewrite.write.Internal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * Who may know whom. Packages that do not exist yet break no rule.
 *
 * @param root the package above the rooms
 */
record HouseRules(String root) {

    /** The rooms, each a package with a promise. */
    private static final List<String> PROMISES = List.of("unique", "lease", "overwrite", "retry", "journal", "backlog");

    /** What promises share. */
    private static final List<String> SHARED = List.of("write", "internal", "schema");

    /** Where users find what they may name: what is public there, but for what is {@link Internal}. */
    static final List<String> API = Stream.concat(PROMISES.stream(), Stream.of("write", "schema", "session"))
            .map(room -> "io.surewrite." + room)
            .toList();

    /** Upper floors use lower ones. */
    ArchRule floors() {
        return CompositeArchRule.of(List.of(
                        nameNone(rooms(PROMISES), room("session"), room("repository"), room("autoconfigure")),
                        nameNone(rooms(List.of("session")), room("repository"), room("autoconfigure")),
                        nameNone(rooms(List.of("repository")), room("autoconfigure"))))
                .as("upper floors use lower ones");
    }

    ArchRule promisesNameNoOtherPromise() {
        List<ArchRule> rules = PROMISES.stream()
                .map(promise -> nameNone(
                        rooms(List.of(promise)),
                        rooms(PROMISES.stream()
                                .filter(other -> !other.equals(promise))
                                .toList())))
                .toList();
        return CompositeArchRule.of(rules).as("no promise names another");
    }

    private static ArchRule nameNone(String[] packages, String... others) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .allowEmptyShould(true);
    }

    ArchRule whatPromisesShareNamesNone() {
        return noClasses()
                .that()
                .resideInAnyPackage(rooms(SHARED))
                .should()
                .dependOnClassesThat(resideInAPackage(root + "..").and(not(resideInAnyPackage(rooms(SHARED)))))
                .as("what promises share names none");
    }

    ArchRule promisesKnowNoSpringAop() {
        return nameNone(rooms(PROMISES), "org.springframework.aop..", "org.aopalliance..", "org.aspectj..");
    }

    ArchRule onlyWhatPromisesShareNamesDriverExceptions() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(room("write"), room("internal"), room("embedded"))
                .should()
                .dependOnClassesThat(assignableTo(Throwable.class)
                        .and(resideInAPackage("com.datastax.."))
                        .as("are driver exceptions"));
    }

    ArchRule noPackageCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    /** What users name leads to what users may name. */
    ArchRule apiSpeaksOfApiOnly() {
        DescribedPredicate<JavaClass> api = describe(
                "are API",
                type -> PROMISES.stream().anyMatch(room -> type.getPackageName().equals(root + "." + room))
                        && isApi(type));
        return methods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat(api)
                .should(not(be(describe(
                        "types that are no API in its signature",
                        (JavaMethod method) -> Stream.concat(
                                        Stream.of(method.getRawReturnType()), method.getRawParameterTypes().stream())
                                .anyMatch(type -> type.getPackageName().startsWith(root) && !isApi(type))))))
                .allowEmptyShould(true);
    }

    /** Whether users may name a type, if it lies in an API package. */
    static boolean isApi(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && !type.isAnnotatedWith(Internal.class)
                && type.getEnclosingClass().map(HouseRules::isApi).orElse(true);
    }

    ArchRule everyPackageIsNullMarked() {
        return classes()
                .should(be(describe(
                        "in a package with @NullMarked",
                        (JavaClass type) -> type.getPackage().isAnnotatedWith(NullMarked.class))));
    }

    /** As Spring Boot's own: found by name, not extended, not called. */
    ArchRule autoConfigurationsAreClosed() {
        return CompositeArchRule.of(classes()
                        .that()
                        .haveSimpleNameEndingWith("AutoConfiguration")
                        .should()
                        .beAnnotatedWith("org.springframework.boot.autoconfigure.AutoConfiguration")
                        .andShould()
                        .haveModifier(JavaModifier.FINAL)
                        .andShould()
                        .resideInAnyPackage(room("autoconfigure"), room("embedded"))
                        .allowEmptyShould(true))
                .and(members()
                        .that()
                        .areDeclaredInClassesThat()
                        .haveSimpleNameEndingWith("AutoConfiguration")
                        .and()
                        .doNotHaveName("<init>")
                        .should()
                        .notBePublic()
                        .allowEmptyShould(true));
    }

    Stream<ArchRule> all() {
        return Stream.of(
                floors(),
                promisesNameNoOtherPromise(),
                whatPromisesShareNamesNone(),
                promisesKnowNoSpringAop(),
                onlyWhatPromisesShareNamesDriverExceptions(),
                noPackageCycles(),
                apiSpeaksOfApiOnly(),
                everyPackageIsNullMarked(),
                autoConfigurationsAreClosed());
    }

    private String room(String name) {
        return root + "." + name + "..";
    }

    private String[] rooms(List<String> names) {
        return names.stream().map(this::room).toArray(String[]::new);
    }
}
