# What scripts share; to be sourced in the repository's folder. Sets work (a folder that goes away at the end) and pids (processes that
# are ended then).
fail() { echo "FAILED: $*" >&2; exit 1; }
say() { echo "== $*"; }

work=$(mktemp -d)
pids=()
finish() {
    local pid
    for pid in ${pids[@]+"${pids[@]}"}; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap finish EXIT

# The home of the JDK that builds; those of all beside it, itself among them; the version of one.
building_jdk() { dirname "$(dirname "$(readlink -f "$(command -v javac)")")"; }
jdks() { for javac in "$(dirname "$(building_jdk)")"/*/bin/javac; do dirname "$(dirname "$(readlink -f "$javac")")"; done | sort -u; }
jdk_version() { sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$1/release"; }

# Runs a command, says how long it took, and leaves what it said in $work/log.
timed() {
    local began=$SECONDS status=0
    echo "+ $*"
    "$@" 2>&1 | tee "$work/log" || status=$?
    echo "took $((SECONDS - began)) s: $*"
    return $status
}

# The line of README.md in the code block after a mark.
marked() { sed -n "/<!-- $1 -->/,/^\`\`\`\$/p" README.md | sed '/^```/d;/<!--/d' | grep -m 1 . || fail "README.md has no <!-- $1 -->"; }

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() {
    local port=$((20000 + RANDOM % 10000))
    while answers "$port"; do port=$((port + 1)); done
    echo "$port"
}

# The first code block of a language of the guide that has a text in it.
block() {
    awk -v start="\`\`\`$1" -v text="$2" '
        $0 == start { inside = 1; code = ""; next }
        /^```/ && inside { if (index(code, text)) { printf "%s", code; exit } inside = 0; next }
        inside { code = code $0 "\n" }' "$guide" | grep . || fail "$guide has no $1 with $2"
}

# Makes the guide's block of Java that has a text a class: its project in $work, main or test, and the text, whose last word is its name.
java_class() {
    local folder=$work/$1/src/$2/java/com/example/$1 name=${3##* }
    mkdir -p "$folder"
    { echo "package com.example.$1;"; block java "$3"; } >"$folder/${name%(}.java"
}

# The main class of that project.
application() {
    cat >"$work/$1/src/main/java/com/example/$1/Application.java" <<JAVA
package com.example.$1;

@org.springframework.boot.autoconfigure.SpringBootApplication
public class Application {
    public static void main(String[] args) {
        org.springframework.boot.SpringApplication.run(Application.class, args).close();
    }
}
JAVA
}

# pom.xml of an application as start.spring.io makes it: its name, its dependencies as the guide says them, and more goals of Boot's plugin.
pom() {
    local boot goals=
    boot=$(sed -n 's:.*<spring-boot.version>\(.*\)</spring-boot.version>.*:\1:p' pom.xml)
    [ $# -le 2 ] || goals="<executions><execution><goals>$(printf '<goal>%s</goal>' "${@:3}")</goals></execution></executions>"
    cat <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
    <modelVersion>4.0.0</modelVersion>
    <parent>
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-starter-parent</artifactId>
        <version>$boot</version>
        <relativePath/>
    </parent>
    <groupId>com.example</groupId>
    <artifactId>$1</artifactId>
    <version>1</version>
$2
    <build>
        <plugins>
            <plugin>
                <groupId>org.springframework.boot</groupId>
                <artifactId>spring-boot-maven-plugin</artifactId>
                $goals
            </plugin>
        </plugins>
    </build>
</project>
POM
}
