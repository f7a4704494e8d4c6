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
import { AsyncContext } from "@/server/core/async-context";
import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { SECOND } from "@/server/core/time";
import type { SpanSpec, Tracer } from "./trace";

const SPAN_KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

export interface CollectorOptions {
  /** URL without the path. */
  endpoint: string;
  headers: Record<string, string>;
  /** Share of traces to send, 0 to 1. */
  sampleRatio: number;
}

export interface ClosableTracer extends Tracer {
  close(): Promise<void>;
}

/** Creates a tracer that exports in the background and drops spans if the collector is too slow. */
export function createTracer(
  role: "server" | "pages" | "worker",
  version: string,
  { endpoint, headers, sampleRatio }: CollectorOptions,
): ClosableTracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: 5 * SECOND,
  });
  const provider = new BasicTracerProvider({
    // Ignores the sampling flag of a caller's traceparent, which is untrusted.
    sampler: new TraceIdRatioBasedSampler(sampleRatio),
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 2000 },
    spanProcessors: [new BatchSpanProcessor(withOutageLog(exporter), { scheduledDelayMillis: SECOND })],
    resource: resourceFromAttributes({
      "service.name": "tellal",
      "service.version": version,
      "service.instance.id": `${hostname()}:${process.pid}`,
      "tellal.process": role,
    }),
  });
  const tracer = provider.getTracer("tellal");
  const currentSpan = new AsyncContext<Span>();
  const getEnclosingContext = () => {
    const span = currentSpan.get();
    return span && trace.setSpan(ROOT_CONTEXT, span);
  };
  const startSpan = ({ name, kind, attributes, parent }: SpanSpec) =>
    tracer.startSpan(
      name,
      { kind: SPAN_KINDS[kind], attributes },
      parseTraceparent(parent) ?? getEnclosingContext() ?? ROOT_CONTEXT,
    );
  return {
    async runInSpan(spec, work) {
      const span = startSpan(spec);
      try {
        return await currentSpan.run(span, work);
      } catch (error) {
        recordErrorType(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    startSpan(spec) {
      if (!currentSpan.get()) return undefined;
      const span = startSpan(spec);
      return (error) => {
        if (error) recordErrorType(span, error);
        span.end();
      };
    },
    updateSpan(name, attributes) {
      const span = currentSpan.get()?.updateName(name);
      if (attributes) span?.setAttributes(attributes);
    },
    getTraceparent() {
      const spanContext = currentSpan.get()?.spanContext();
      return spanContext && `00-${spanContext.traceId}-${spanContext.spanId}-0${spanContext.traceFlags & 1}`;
    },
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Records only the type of an error: the message may contain personal data, and the log has it. */
function recordErrorType(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", String(code ?? name ?? "unknown"));
}

function parseTraceparent(traceparent: SpanSpec["parent"]): Context | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Logs once when the collector becomes unavailable, and once when it is back. */
function withOutageLog(exporter: SpanExporter): SpanExporter {
  let isUnavailable = false;
  return {
    export: (spans, onResult) =>
      exporter.export(spans, (result) => {
        if (result.error && !isUnavailable)
          log.warn({
            event: "traces.lost",
            reason: getErrorReason(result.error),
            hint: "OTEL_EXPORTER_OTLP_ENDPOINT",
          });
        if (!result.error && isUnavailable) log.info({ event: "traces.written_again" });
        isUnavailable = Boolean(result.error);
        onResult(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
