package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.BadNetwork.Loss;
import io.surewrite.alledeals.lab.Experiment.Code;
import io.surewrite.alledeals.lab.Experiment.Text;
import io.surewrite.alledeals.lab.Timeline.Kind;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** The Lab in the browser: one page, and the parts of it that change while something runs. */
@Controller
class LabPages {

    private static final Pattern SEED = Pattern.compile("[0-9]{1,6}");
    private static final int LARGEST_SEED = 1_000_000;
    private static final int MOST_BUYERS = 200;
    private static final int MOST_UNITS = 200;

    private final LabSwitch lab;
    private final Races races;
    private final LostAnswers lostAnswers;
    private final DyingHolder dyingHolder;
    private final Comparisons comparisons;
    private final Environment environment;

    LabPages(
            LabSwitch lab,
            Races races,
            LostAnswers lostAnswers,
            DyingHolder dyingHolder,
            Comparisons comparisons,
            Environment environment) {
        this.lab = lab;
        this.races = races;
        this.lostAnswers = lostAnswers;
        this.dyingHolder = dyingHolder;
        this.comparisons = comparisons;
        this.environment = environment;
    }

    /** Comes before every page here. */
    @ModelAttribute
    void requireOpen(Model model) {
        if (!lab.isOpen()) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        model.addAttribute("drama", dyingHolder.drama());
        model.addAttribute("experiments", comparisons.all());
        model.addAttribute("kinds", Kind.values());
        model.addAttribute("seed", ThreadLocalRandom.current().nextInt(LARGEST_SEED));
        model.addAttribute("meters", environment.getProperty("local.management.port"));
    }

    /** A link to an experiment with its seed fills in the form, and runs nothing. */
    @GetMapping("/lab")
    String lab(
            @RequestParam(required = false) String experiment,
            @RequestParam(required = false) String seed,
            Model model) {
        model.addAttribute("chosen", experiment);
        if (seed != null) {
            model.addAttribute("seed", seed);
        }
        return "lab";
    }

    @PostMapping("/lab/sides")
    String sides(
            @RequestParam String experiment,
            @RequestParam String seed,
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean open,
            Model model,
            HttpServletResponse response) {
        Experiment wanted = find(experiment);
        model.addAttribute("chosen", experiment);
        model.addAttribute("seed", seed);
        if (!SEED.matcher(seed).matches()) {
            model.addAttribute("seedRefused", "A seed is a whole number from 0 to %d.".formatted(LARGEST_SEED - 1));
            if (!open) {
                response.setStatus(HttpStatus.BAD_REQUEST.value());
            }
        } else {
            model.addAttribute("comparison", comparisons.run(wanted, Long.parseLong(seed)));
        }
        return page(open, "sides");
    }

    /** The file that the lines of one side stand in, of this very shop. */
    @GetMapping("/lab/code/{experiment}/{side}")
    String code(@PathVariable String experiment, @PathVariable String side, Model model) {
        Text text = find(experiment).text();
        Code code = switch (side) {
            case "plain" -> text.plain();
            case "sure" -> text.sure();
            default -> throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        };
        return text(experiment, code.path(), "lab/code/" + code.path(), model);
    }

    /** The page of the documentation about an experiment, of this very release. */
    @GetMapping("/lab/docs/{experiment}")
    String docs(@PathVariable String experiment, Model model) {
        String page = find(experiment).text().page() + ".md";
        return text(experiment, "docs/" + page, "lab/docs/" + page, model);
    }

    private static String text(String experiment, String title, String resource, Model model) {
        try {
            model.addAttribute("text", new ClassPathResource(resource).getContentAsString(StandardCharsets.UTF_8));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
        model.addAttribute("title", title);
        model.addAttribute("chosen", experiment);
        return "lab-text";
    }

    private Experiment find(String name) {
        return comparisons.find(name).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    @PostMapping("/lab/races")
    String race(@RequestParam int buyers, @RequestParam int units, Model model, HttpServletResponse response) {
        if (buyers < 1 || buyers > MOST_BUYERS || units < 1 || units > MOST_UNITS) {
            response.setStatus(HttpStatus.BAD_REQUEST.value());
            model.addAttribute(
                    "raceRefused",
                    "A race is for 1 to %d buyers and 1 to %d units.".formatted(MOST_BUYERS, MOST_UNITS));
            model.addAttribute("buyers", buyers);
            model.addAttribute("units", units);
            return "lab";
        }
        return "redirect:/lab/races/" + races.start(buyers, units).id();
    }

    @GetMapping("/lab/races/{id}")
    String race(
            @PathVariable UUID id,
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean open,
            Model model) {
        model.addAttribute("race", races.find(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND)));
        return page(open, "race");
    }

    @PostMapping("/lab/timeouts")
    String timeout(
            @RequestParam Loss loss,
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean open,
            Model model) {
        model.addAttribute("report", lostAnswers.buyWhileLosing(loss));
        return page(open, "timeout");
    }

    @PostMapping("/lab/leases")
    String lease() {
        dyingHolder.start();
        return "redirect:/lab#leases";
    }

    @PostMapping("/lab/leases/kill")
    String kill() {
        dyingHolder.kill();
        return "redirect:/lab#leases";
    }

    @GetMapping("/lab/leases")
    String leaseSoFar() {
        return "lab-parts :: lease";
    }

    private static String page(boolean open, String part) {
        return open ? "lab-parts :: " + part : "lab";
    }
}
