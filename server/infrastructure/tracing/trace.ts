import { AsyncResource } from "node:async_hooks";

/** Attributes of a span. Never values of statements, bodies, personal data or paths with ids. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanSpec {
  name: string;
  kind: "server" | "client" | "consumer" | "internal";
  attributes?: SpanAttributes;
  /** W3C traceparent header of the parent; default: the enclosing span. */
  parent?: string | string[] | null;
}

export interface Tracer {
  runInSpan<T>(spec: SpanSpec, work: () => Promise<T>): Promise<T>;
  startSpan(spec: SpanSpec): ((error?: unknown) => void) | undefined;
  updateSpan(name: string, attributes?: SpanAttributes): void;
  getTraceparent(): string | undefined;
}

/** On globalThis: a process contains several copies of this module. */
const globals = globalThis as { tellalTracer?: Tracer };

export function setTracer(tracer: Tracer | undefined): void {
  globals.tellalTracer = tracer;
}

export function withSpan<T>(spec: SpanSpec, work: () => Promise<T>): Promise<T> {
  return globals.tellalTracer ? globals.tellalTracer.runInSpan(spec, work) : work();
}

/** Renames the current span and adds attributes. */
export function updateSpan(name: string, attributes?: SpanAttributes): void {
  globals.tellalTracer?.updateSpan(name, attributes);
}

/** Returns the W3C traceparent header of the current span, for jobs and our own processes. */
export function getTraceparent(): string | undefined {
  return globals.tellalTracer?.getTraceparent();
}

/** Starts a span for SQL text without values; returns its end function. Undefined outside of a trace. */
export function startStatementSpan(text: string): ((error?: unknown) => void) | undefined {
  if (!globals.tellalTracer) return undefined;
  return globals.tellalTracer.startSpan({
    name: /^\s*\w+/.exec(text)?.[0].trim().toUpperCase() ?? "SQL",
    kind: "client",
    attributes: {
      "db.system.name": "postgresql",
      "db.query.text": text.trim().replace(/\s+/g, " ").slice(0, 2000),
    },
  });
}

/** Binds a callback to the current trace: a pool calls it in the context of another caller. */
export function bindToTrace<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  return globals.tellalTracer ? AsyncResource.bind(callback) : callback;
}
