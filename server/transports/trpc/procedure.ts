import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import type { Actor } from "@/server/core/context";
import { type CallInput, type Handler, type Output, RawJson } from "@/server/core/contract";
import { normaliseInput } from "@/server/core/input";
import { log } from "@/server/core/log";
import { type Call, checkAbility, countCall, failureOf, makeContext, perform } from "../execute";
import { type PanelContext, t, toTRPCError } from "./init";

/** The procedure of an operation: GET becomes a query, everything else a mutation. */
type ProcedureOf<H> =
  H extends Handler<infer O>
    ? O extends { method: "GET" }
      ? TRPCQueryProcedure<{ input: InputOf<O>; output: Output<O>; meta: unknown }>
      : TRPCMutationProcedure<{ input: InputOf<O>; output: Output<O>; meta: unknown }>
    : never;

/** The procedures of a domain, without the operations that transfer files. */
export type ProceduresOf<Operations> = { [K in keyof Operations]: ProcedureOf<Operations[K]> };

/** Lets an operation without parts be called without input. */
// biome-ignore lint/suspicious/noConfusingVoidType: void is what lets a caller leave the argument out
type InputOf<O> = Record<never, never> extends CallInput<O> ? CallInput<O> | void : CallInput<O>;

/** Binds every operation of a domain to tRPC, with the same contract and the same steps as REST. */
export function procedures(operations: Record<string, Handler>) {
  const entries = Object.entries(operations)
    .filter(([, { operation }]) => !operation.file && !operation.upload)
    .map(([name, handler]) => [name, procedure(handler)]);
  return Object.fromEntries(entries);
}

function procedure(handler: Handler) {
  const base = t.procedure.input((value: unknown) => value as Record<string, unknown> | undefined);
  const resolve = ({ ctx, input }: { ctx: PanelContext; input: Record<string, unknown> | undefined }) =>
    call(handler, ctx, input);
  return handler.operation.method === "GET" ? base.query(resolve) : base.mutation(resolve);
}

async function call(
  { operation, ...handler }: Handler,
  ctx: PanelContext,
  given: Record<string, unknown> | undefined,
): Promise<unknown> {
  const startedAt = performance.now();
  // A client can send any JSON, null included.
  const input = given ?? {};
  let actor: Actor = { kind: "anonymous" };
  let counted: Call | undefined;
  try {
    if (operation.access === "token") {
      const caller = await ctx.caller();
      actor = caller.actor;
      ctx.locale = caller.locale ?? ctx.locale;
    }
    counted = { operation, actor, ip: ctx.origin.ip };
    await countCall(counted);
    checkAbility(operation, actor);
    const raw = normaliseInput({ query: input.query, body: input.body }) as { query: unknown; body: unknown };
    const params = (input.params ?? {}) as Record<string, string>;
    const output = await perform({ operation, ...handler }, makeContext(ctx.origin, actor, ctx.locale), {
      ...raw,
      params,
    });
    record("ok");
    return output instanceof RawJson ? JSON.parse(output.text) : output;
  } catch (error) {
    const known = await failureOf(counted, error);
    record(known.code, known.code === "server_error" ? known.extras.cause : undefined);
    throw toTRPCError(known);
  }

  function record(result: string, cause?: unknown): void {
    log[cause ? "error" : "info"]({
      event: "procedure",
      request_id: ctx.origin.requestId,
      operation: operation.id,
      result,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      actor: actor.kind === "user" ? actor.id : null,
      ip: ctx.origin.ip,
      cause,
    });
  }
}
