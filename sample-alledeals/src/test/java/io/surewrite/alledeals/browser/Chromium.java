package io.surewrite.alledeals.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium with one page, driven over its DevTools protocol. */
final class Chromium implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final Path profile;
    private final WebSocket page;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final List<String> troubles = new ArrayList<>();
    private int lastId;

    private Chromium(Process process, Path profile) throws IOException, InterruptedException {
        this.process = process;
        this.profile = profile;
        Path portFile = profile.resolve("DevToolsActivePort");
        Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(portFile) && Files.size(portFile) > 0);
        String port = Files.readAllLines(portFile).get(0);
        HttpClient http = HttpClient.newHttpClient();
        String pages = http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        JsonNode target = Stream.of(JSON.readTree(pages))
                .flatMap(all -> all.valueStream())
                .filter(one -> one.get("type").asString().equals("page"))
                .findFirst()
                .orElseThrow();
        this.page = http.newWebSocketBuilder()
                .buildAsync(URI.create(target.get("webSocketDebuggerUrl").asString()), new Answers())
                .join();
        send("Page.enable", Map.of());
        send("Log.enable", Map.of());
        send("Runtime.enable", Map.of());
    }

    /** Where Chromium is, if it is on this machine. */
    static Optional<Path> installed() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Chromium start(Path program) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory("chromium-");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--remote-allow-origins=*",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Chromium(process, profile);
    }

    /** Makes the window so large, and a telephone of it if it is narrow. */
    void resize(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    void open(String address) {
        troubles.clear();
        send("Page.navigate", Map.of("url", address));
        awaitTrue("document.readyState == 'complete' && location.href != 'about:blank'");
    }

    void type(String selector, String text) {
        evaluate("document.querySelector('%s').value = '%s'".formatted(selector, text));
    }

    /** Presses a button that leads to another page. */
    void follow(String selector) {
        evaluate("window.isOld = true; document.querySelector('%s').click()".formatted(selector));
        awaitTrue("window.isOld !== true && document.readyState == 'complete'");
    }

    void click(String selector) {
        evaluate("document.querySelector('%s').click()".formatted(selector));
    }

    String text(String selector) {
        return evaluate("(document.querySelector('%s') || {innerText: ''}).innerText".formatted(selector))
                .asString();
    }

    int count(String selector) {
        return evaluate("document.querySelectorAll('%s').length".formatted(selector))
                .asInt();
    }

    void awaitTrue(String script) {
        try {
            Awaitility.await(script)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> evaluate(script).asBoolean());
        } catch (ConditionTimeoutException timeout) {
            throw new AssertionError(
                    "%s still shows: %s\nand the browser says: %s"
                            .formatted(evaluate("location.href").asString(), text("body"), troubles),
                    timeout);
        }
    }

    JsonNode evaluate(String script) {
        JsonNode answer = send("Runtime.evaluate", Map.of("expression", script, "returnByValue", true));
        return answer.get("result").path("value");
    }

    /** Shows pages as on a system with a dark or a light scheme. */
    void scheme(String lightOrDark) {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark))));
    }

    void screenshot(Path file) {
        String data = send("Page.captureScreenshot", Map.of("format", "png"))
                .get("data")
                .asString();
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, Base64.getDecoder().decode(data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode send(String method, Map<String, ?> parameters) {
        int id = ++lastId;
        page.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        try {
            while (true) {
                JsonNode answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                if (answer == null) {
                    throw new IllegalStateException("Chromium does not answer " + method);
                }
                note(answer);
                if (answer.path("id").asInt(-1) == id) {
                    if (answer.has("error")) {
                        throw new IllegalStateException(method + ": " + answer.get("error"));
                    }
                    return answer.get("result");
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a page complains of: requests that failed, and errors of scripts. */
    private void note(JsonNode event) {
        switch (event.path("method").asString("")) {
            case "Log.entryAdded" -> troubles.add(event.at("/params/entry").toString());
            case "Runtime.exceptionThrown" ->
                troubles.add(event.at("/params/exceptionDetails").toString());
            default -> {} // of no interest here
        }
    }

    @Override
    public void close() throws IOException {
        page.abort();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly().onExit().join();
        children.forEach(ProcessHandle::destroyForcibly);
        FileSystemUtils.deleteRecursively(profile);
    }

    /** Puts parts of messages together. */
    private final class Answers implements WebSocket.Listener {

        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                answers.add(JSON.readTree(message.toString()));
                message.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }
}
