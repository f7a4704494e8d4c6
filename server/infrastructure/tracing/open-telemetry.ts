import { hostname } from "node:os";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import { Ambient } from "@/server/core/ambient";
import { log } from "@/server/core/log";
import { errorReason } from "@/server/core/redact";
import { SECOND } from "@/server/core/time";
import type { SpanSpec, Tracer } from "./trace";

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

export interface Collector {
  /** URL without the path. */
  endpoint: string;
  headers: Record<string, string>;
  /** Share of traces to send, 0 to 1. */
  share: number;
}

export interface OpenTracer extends Tracer {
  close(): Promise<void>;
}

/** Creates a tracer that exports in the background and drops spans if the collector is too slow. */
export function openTracer(
  role: "server" | "pages" | "worker",
  version: string,
  { endpoint, headers, share }: Collector,
): OpenTracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: 5 * SECOND,
  });
  const provider = new BasicTracerProvider({
    // Ignores the sampling flag of a caller's traceparent, which is untrusted.
    sampler: new TraceIdRatioBasedSampler(share),
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 2000 },
    spanProcessors: [new BatchSpanProcessor(loggingOutages(exporter), { scheduledDelayMillis: SECOND })],
    resource: resourceFromAttributes({
      "service.name": "tellal",
      "service.version": version,
      "service.instance.id": `${hostname()}:${process.pid}`,
      "tellal.process": role,
    }),
  });
  const tracer = provider.getTracer("tellal");
  const current = new Ambient<Span>();
  const enclosing = () => {
    const span = current.get();
    return span && trace.setSpan(ROOT_CONTEXT, span);
  };
  const start = ({ name, kind, attributes, parent }: SpanSpec) =>
    tracer.startSpan(name, { kind: KINDS[kind], attributes }, causeOf(parent) ?? enclosing() ?? ROOT_CONTEXT);
  return {
    async run(piece, work) {
      const span = start(piece);
      try {
        return await current.run(span, work);
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    begin(piece) {
      if (!current.get()) return undefined;
      const span = start(piece);
      return (error) => {
        if (error) fail(span, error);
        span.end();
      };
    },
    updateSpan(name, facts) {
      const span = current.get()?.updateName(name);
      if (facts) span?.setAttributes(facts);
    },
    traceparent() {
      const at = current.get()?.spanContext();
      return at && `00-${at.traceId}-${at.spanId}-0${at.traceFlags & 1}`;
    },
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Records only the type of an error: messages may contain personal data, and are in the log. */
function fail(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", String(code ?? name ?? "unknown"));
}

function causeOf(cause: SpanSpec["parent"]): Context | undefined {
  if (typeof cause !== "string") return undefined;
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(cause) ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Logs once when the collector becomes unavailable, and once when it is back. */
function loggingOutages(exporter: SpanExporter): SpanExporter {
  let away = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && !away)
          log.warn({
            event: "traces.lost",
            reason: errorReason(result.error),
            hint: "OTEL_EXPORTER_OTLP_ENDPOINT",
          });
        if (!result.error && away) log.info({ event: "traces.written_again" });
        away = Boolean(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
