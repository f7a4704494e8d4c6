import type { Domain } from "@/server/core/domain";
import { isProduction } from "@/server/core/env";
import { domains } from "@/server/domains";
import { type PanelContext, t } from "./init";
import { type ProceduresOf, procedures } from "./procedure";

type Domains = typeof domains;
type Branches = {
  [D in keyof Domains as Domains[D] extends { operations: object } ? D : never]: Domains[D] extends {
    operations: infer O;
  }
    ? ProceduresOf<O>
    : never;
};

const make = () => t.router(branches());
let made: ReturnType<typeof make> | undefined;

/** Creates the panel's router for this mode: a branch per domain, a procedure per operation. */
export function appRouter(): ReturnType<typeof make> {
  made ??= make();
  return made;
}

function branches(): Branches {
  const listed: [string, Domain][] = Object.entries(domains);
  const entries = listed
    .filter(([, { operations }]) => operations)
    .map(([name, { operations = {}, demoOnly }]) => [
      name,
      procedures(demoOnly && isProduction() ? {} : operations),
    ]);
  return Object.fromEntries(entries);
}

export type AppRouter = ReturnType<typeof make>;

/** Creates a caller of the panel's procedures within this process. */
export function createCaller(ctx: PanelContext, onRefused?: (refused: unknown) => void) {
  return t.createCallerFactory(appRouter())(ctx, { onError: ({ error }) => onRefused?.(error.cause) });
}
