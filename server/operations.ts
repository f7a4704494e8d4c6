import type { Handler } from "./core/contract";
import { handle } from "./core/contract";
import { declared } from "./core/domain";
import { isProduction } from "./core/env";
import "./domains";
import { clientPackage, getClientPackage } from "./transports/rest/client-package";
import { getAdminOpenApi, getOpenApi, handleText } from "./transports/rest/openapi";
import { getPostman } from "./transports/rest/postman";

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
