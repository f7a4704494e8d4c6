import { AsyncResource } from "node:async_hooks";

/** Attributes of a span. Never values of statements, bodies, personal data or paths with ids. */
export type Facts = Record<string, string | number | boolean | undefined>;

export interface Piece {
  name: string;
  kind: "server" | "client" | "consumer" | "internal";
  facts?: Facts;
  /** W3C `traceparent` of the parent; default: the enclosing span. */
  cause?: string | string[] | null;
}

export interface Tracer {
  run<T>(piece: Piece, work: () => Promise<T>): Promise<T>;
  begin(piece: Piece): ((error?: unknown) => void) | undefined;
  tellTrace(name: string, facts?: Facts): void;
  carrier(): string | undefined;
}

/** On globalThis: a process contains several copies of this module. */
const shared = globalThis as { tellalTracer?: Tracer };

export function traceWith(tracer: Tracer | undefined): void {
  shared.tellalTracer = tracer;
}

export function traced<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
  return shared.tellalTracer ? shared.tellalTracer.run(piece, work) : work();
}

/** Renames the current span and adds attributes. */
export function tellTrace(name: string, facts?: Facts): void {
  shared.tellalTracer?.tellTrace(name, facts);
}

/** Returns the `traceparent` of the current span, for jobs and our own processes. */
export function traceparent(): string | undefined {
  return shared.tellalTracer?.carrier();
}

/** Starts a span for SQL text without values; returns its end. Undefined outside of a trace. */
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

/** Binds a callback to the current trace: a pool calls it in the context of another caller. */
export function staying<Given extends unknown[]>(
  callback: (...given: Given) => void,
): (...given: Given) => void {
  return shared.tellalTracer ? AsyncResource.bind(callback) : callback;
}
