package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.job.PayloadCodec;
import java.util.Map;

/**
 * What discovery needs to know beside the annotations.
 *
 * @param maxAttempts of jobs that do not say it
 * @param payloads reads payloads
 * @param jobs what the configuration says about single jobs, by name
 */
public record DiscoverySettings(int maxAttempts, PayloadCodec payloads, Map<String, JobOverrides> jobs) {}
