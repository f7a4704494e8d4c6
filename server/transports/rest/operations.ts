import type { Handler } from "@/server/core/contract";
import { handle } from "@/server/core/contract";
import { declared } from "@/server/core/domain";
import { isProduction } from "@/server/core/env";
import "@/server/domains";
import { clientPackage, getClientPackage } from "./client-package";
import { getAdminOpenApi, getOpenApi, handleText } from "./openapi";
import { getPostman } from "./postman";

let made: Handler[] | undefined;

/** Returns the REST operations of this mode: those of every domain, and the API's descriptions. */
export function handlers(): Handler[] {
  if (made) return made;
  const documented = declared()
    .filter(({ demoOnly }) => !(demoOnly && isProduction()))
    .flatMap(({ operations = {} }) => Object.values(operations));
  const all: Handler[] = [
    ...documented,
    handleText(getOpenApi, "integrators", handlers),
    handleText(getAdminOpenApi, "administrators", handlers),
    handleText(getPostman, "collection", handlers),
    handle(getClientPackage, clientPackage) as Handler,
  ];
  made = all;
  return made;
}
