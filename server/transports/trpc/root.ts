import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import { type CallInput, type Handler, type Output, RawJson } from "@/server/core/contract";
import type { Domain } from "@/server/core/domain";
import { isProduction } from "@/server/core/env";
import { type AppError, createError } from "@/server/core/errors";
import { normaliseInput } from "@/server/core/input";
import { domains } from "@/server/domains";
import { withSpan } from "@/server/infrastructure/tracing/trace";
import { admitCall, type Call, handleFailure, logCall, newCall } from "../admission";
import { recordOutage } from "../pages/outage";
import { type RawInput, runOperation } from "../run-operation";
import { addDeviceToken, moveDeviceTokenToCookie } from "../session/trusted-device-cookie";
import { type PanelContext, t, toTRPCError } from "./init";

type ProcedureOf<H> =
  H extends Handler<infer O>
    ? O extends { method: "GET" }
      ? TRPCQueryProcedure<{ input: InputOf<O>; output: Output<O>; meta: unknown }>
      : TRPCMutationProcedure<{ input: InputOf<O>; output: Output<O>; meta: unknown }>
    : never;

type ProceduresOf<Operations> = { [K in keyof Operations]: ProcedureOf<Operations[K]> };

// biome-ignore lint/suspicious/noConfusingVoidType: void lets callers omit the argument
type InputOf<O> = Record<never, never> extends CallInput<O> ? CallInput<O> | void : CallInput<O>;

type Domains = typeof domains;
type Branches = {
  [D in keyof Domains as Domains[D] extends { operations: object } ? D : never]: Domains[D] extends {
    operations: infer O;
  }
    ? ProceduresOf<O>
    : never;
};

const createRouter = () => t.router(buildBranches());
let cachedRouter: ReturnType<typeof createRouter> | undefined;

export function getAppRouter(): ReturnType<typeof createRouter> {
  cachedRouter ??= createRouter();
  return cachedRouter;
}

function buildBranches(): Branches {
  const domainEntries: [string, Domain][] = Object.entries(domains);
  const entries = domainEntries
    .filter(([, { operations }]) => operations)
    .map(([name, { operations = {}, demoOnly }]) => [
      name,
      createProcedures(demoOnly && isProduction() ? {} : operations),
    ]);
  return Object.fromEntries(entries);
}

export type AppRouter = ReturnType<typeof createRouter>;

export function createCaller(ctx: PanelContext, onError?: (reason: unknown) => void) {
  return t.createCallerFactory(getAppRouter())(ctx, { onError: ({ error }) => onError?.(error.cause) });
}

function createProcedures(operations: Record<string, Handler>) {
  const entries = Object.entries(operations)
    .filter(([, { operation }]) => !operation.file && !operation.upload)
    .map(([name, handler]) => [name, createProcedure(handler)]);
  return Object.fromEntries(entries);
}

function createProcedure(handler: Handler) {
  const base = t.procedure.input((value: unknown) => value as Record<string, unknown> | undefined);
  const { id } = handler.operation;
  const resolve = ({ ctx, input }: { ctx: PanelContext; input: Record<string, unknown> | undefined }) =>
    withSpan({ name: `panel ${id}`, kind: "internal" }, () => runProcedure(handler, ctx, input));
  return handler.operation.method === "GET" ? base.query(resolve) : base.mutation(resolve);
}

async function runProcedure(
  handler: Handler,
  ctx: PanelContext,
  rawInput: Record<string, unknown> | undefined,
): Promise<unknown> {
  const startedAt = performance.now();
  const call = newCall(handler.operation, ctx.origin, ctx.locale);
  call.idempotencyKey = ctx.idempotencyKey;
  try {
    await admitCall(call, ctx.getCaller);
    requireSameAccount(call, ctx);
    const { id } = handler.operation;
    const input = addDeviceToken(id, parseInput(rawInput), ctx.cookies);
    const output = await runOperation(handler, call, input);
    recordCall(call, startedAt);
    return output instanceof RawJson
      ? JSON.parse(output.text)
      : moveDeviceTokenToCookie(id, output, ctx.cookies);
  } catch (error) {
    const failure = await handleFailure(call, error);
    recordCall(call, startedAt, failure);
    recordOutage(failure);
    throw toTRPCError(failure);
  }
}

/** The browser may switch accounts while a page is open: input for one account must not change another. */
function requireSameAccount({ operation, actor }: Call, { accountId }: PanelContext): void {
  if (accountId === null || actor.kind !== "user" || operation.viewAs === "self") return;
  if (accountId !== String(actor.id)) throw createError("account_changed");
}

function parseInput(rawInput: Record<string, unknown> | null | undefined): RawInput {
  const { params, query, body } = rawInput ?? {};
  try {
    const normalizedInput = normaliseInput({ query, body }) as Pick<RawInput, "query" | "body">;
    return { ...normalizedInput, params: (params ?? {}) as Record<string, string> };
  } catch (cause) {
    throw createError("malformed_json", { cause });
  }
}

function recordCall({ operation, origin, actor }: Call, startedAt: number, failure?: AppError): void {
  const fields = {
    event: "procedure",
    request_id: origin.requestId,
    operation: operation.id,
    result: failure?.code ?? "ok",
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    actor: actor.kind === "user" ? actor.id : null,
    ip: origin.ip,
  };
  logCall(fields, failure);
}
