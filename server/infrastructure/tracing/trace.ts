import { AsyncResource } from "node:async_hooks";

/** What is said about a piece of work. Never values of statements, bodies, addresses of people, or paths with ids. */
export type Facts = Record<string, string | number | boolean | undefined>;

export interface Piece {
  name: string;
  kind: "server" | "client" | "consumer" | "internal";
  facts?: Facts;
  /** The W3C `traceparent` of whoever caused it; otherwise the work around it did. */
  cause?: string | string[] | null;
}

/** Who writes traces: there is one where `OTEL_EXPORTER_OTLP_ENDPOINT` is set (`open-telemetry.ts`). */
export interface Tracer {
  run<T>(piece: Piece, work: () => Promise<T>): Promise<T>;
  begin(piece: Piece): ((error?: unknown) => void) | undefined;
  tellTrace(name: string, facts?: Facts): void;
  carrier(): string | undefined;
}

/** On globalThis: a process holds several copies of this module. */
const shared = globalThis as { tellalTracer?: Tracer };

export function traceWith(tracer: Tracer | undefined): void {
  shared.tellalTracer = tracer;
}

/** Runs work as a piece of a trace, when traces are written. */
export function traced<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
  return shared.tellalTracer ? shared.tellalTracer.run(piece, work) : work();
}

/** Names the piece under way, once it is known what it does. */
export function tellTrace(name: string, facts?: Facts): void {
  shared.tellalTracer?.tellTrace(name, facts);
}

/** What a job, or another process of ours, is told about its cause. */
export function traceparent(): string | undefined {
  return shared.tellalTracer?.carrier();
}

/** A statement for PostgreSQL, its text without values. Returns what to call at its end, or nothing outside of a trace. */
export function beginStatement(text: string): ((error?: unknown) => void) | undefined {
  if (!shared.tellalTracer) return undefined;
  return shared.tellalTracer.begin({
    name: /^\s*\w+/.exec(text)?.[0].trim().toUpperCase() ?? "SQL",
    kind: "client",
    facts: {
      "db.system.name": "postgresql",
      "db.query.text": text.trim().replace(/\s+/g, " ").slice(0, 2000),
    },
  });
}

/** Keeps a callback in the trace that it was given in: a pool calls it while it serves somebody else. */
export function staying<Given extends unknown[]>(
  callback: (...given: Given) => void,
): (...given: Given) => void {
  return shared.tellalTracer ? AsyncResource.bind(callback) : callback;
}
