import { AsyncResource } from "node:async_hooks";

/** Attributes of a span. Never values of statements, bodies, personal data or paths with ids. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanSpec {
  name: string;
  kind: "server" | "client" | "consumer" | "internal";
  attributes?: SpanAttributes;
  /** W3C `traceparent` of the parent; default: the enclosing span. */
  parent?: string | string[] | null;
}

export interface Tracer {
  run<T>(piece: SpanSpec, work: () => Promise<T>): Promise<T>;
  begin(piece: SpanSpec): ((error?: unknown) => void) | undefined;
  updateSpan(name: string, facts?: SpanAttributes): void;
  traceparent(): string | undefined;
}

/** On globalThis: a process contains several copies of this module. */
const shared = globalThis as { tellalTracer?: Tracer };

export function setTracer(tracer: Tracer | undefined): void {
  shared.tellalTracer = tracer;
}

export function withSpan<T>(piece: SpanSpec, work: () => Promise<T>): Promise<T> {
  return shared.tellalTracer ? shared.tellalTracer.run(piece, work) : work();
}

/** Renames the current span and adds attributes. */
export function updateSpan(name: string, facts?: SpanAttributes): void {
  shared.tellalTracer?.updateSpan(name, facts);
}

/** Returns the `traceparent` of the current span, for jobs and our own processes. */
export function traceparent(): string | undefined {
  return shared.tellalTracer?.traceparent();
}

/** Starts a span for SQL text without values; returns its end. Undefined outside of a trace. */
export function startStatementSpan(text: string): ((error?: unknown) => void) | undefined {
  if (!shared.tellalTracer) return undefined;
  return shared.tellalTracer.begin({
    name: /^\s*\w+/.exec(text)?.[0].trim().toUpperCase() ?? "SQL",
    kind: "client",
    attributes: {
      "db.system.name": "postgresql",
      "db.query.text": text.trim().replace(/\s+/g, " ").slice(0, 2000),
    },
  });
}

/** Binds a callback to the current trace: a pool calls it in the context of another caller. */
export function bindTrace<Given extends unknown[]>(
  callback: (...given: Given) => void,
): (...given: Given) => void {
  return shared.tellalTracer ? AsyncResource.bind(callback) : callback;
}
