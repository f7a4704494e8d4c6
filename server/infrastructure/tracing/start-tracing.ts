import { setTimeout as sleep } from "node:timers/promises";
import { type Env, env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { readReleaseVersion } from "../process-heartbeat";
import { setTracer } from "./trace";

/** Starts tracing and loads OpenTelemetry if a collector is configured. Returns a function that stops it. */
export async function startTracing(
  role: "server" | "pages" | "worker",
  settings: Pick<
    Env,
    "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_EXPORTER_OTLP_HEADERS" | "OTEL_TRACES_SAMPLER_ARG"
  > = env(),
): Promise<() => Promise<void>> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return async () => {};
  const { createTracer } = await import("./open-telemetry");
  const tracer = createTracer(role, readReleaseVersion(), {
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    sampleRatio: settings.OTEL_TRACES_SAMPLER_ARG,
  });
  setTracer(tracer);
  return async () => {
    setTracer(undefined);
    // A hanging collector must not delay a restart.
    await Promise.race([tracer.close(), sleep(2 * SECOND, undefined, { ref: false })]);
  };
}
