package dev.distributedscheduler.actuate.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody who uses the endpoints over HTTP, with a name or without. */
final class HttpUser {

    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private final int port;
    private final String name;

    /** @param name null for nobody */
    HttpUser(int port, String name) {
        this.port = port;
        this.name = name;
    }

    record Answer(int status, String text) {

        JsonNode json() {
            return JSON.readTree(text);
        }
    }

    Answer get(String path) {
        return send(request(path).GET().build());
    }

    Answer post(String path, Map<String, ?> body) {
        return send(posting(path, JSON.writeValueAsString(body)));
    }

    Answer postText(String path, String body) {
        return send(posting(path, body));
    }

    CompletableFuture<Answer> postLater(String path, Map<String, ?> body) {
        return CLIENT.sendAsync(posting(path, JSON.writeValueAsString(body)), BodyHandlers.ofString())
                .thenApply(HttpUser::answer);
    }

    private HttpRequest posting(String path, String body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:%d/actuator/%s".formatted(port, path)))
                .timeout(Duration.ofMinutes(1));
        if (name != null) {
            String credentials =
                    Base64.getEncoder().encodeToString((name + ":secret").getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + credentials);
        }
        return request;
    }

    private static Answer send(HttpRequest request) {
        try {
            return answer(CLIENT.send(request, BodyHandlers.ofString()));
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static Answer answer(HttpResponse<String> response) {
        return new Answer(response.statusCode(), response.body());
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
