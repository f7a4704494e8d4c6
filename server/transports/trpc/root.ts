import type { Domain } from "@/server/core/domain";
import { isProduction } from "@/server/core/env";
import { domains } from "@/server/domains";
import { t } from "./init";
import { type ProceduresOf, procedures } from "./procedure";

type Domains = typeof domains;
type Branches = {
  [D in keyof Domains as Domains[D] extends { operations: object } ? D : never]: Domains[D] extends {
    operations: infer O;
  }
    ? ProceduresOf<O>
    : never;
};

/** The panel's router: one branch for each domain, one procedure for each operation. */
export const appRouter = t.router(branches());

function branches(): Branches {
  const listed: [string, Domain][] = Object.entries(domains);
  const made = listed
    .filter(([, { operations }]) => operations)
    .map(([name, { operations = {}, demoOnly }]) => [
      name,
      procedures(demoOnly && isProduction() ? {} : operations),
    ]);
  return Object.fromEntries(made);
}

export type AppRouter = typeof appRouter;
export const createCaller = t.createCallerFactory(appRouter);
