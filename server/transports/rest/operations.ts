import type { Handler } from "@/server/core/contract";
import { handle } from "@/server/core/contract";
import { declared } from "@/server/core/domain";
import { isProduction } from "@/server/core/env";
import "@/server/domains";
import { clientPackage, getClientPackage } from "./client-package";
import { getAdminOpenApi, getOpenApi, getPostman, handleText } from "./openapi/served";

let made: Handler[] | undefined;

/** Returns the REST operations of this mode. */
export function handlers(): Handler[] {
  made ??= handlersOf({ production: isProduction() });
  return made;
}

/** Returns the REST operations of a mode: those of every domain, and the API's descriptions. */
export function handlersOf({ production }: { production: boolean }): Handler[] {
  return [
    ...declared()
      .filter(({ demoOnly }) => !(demoOnly && production))
      .flatMap(({ operations = {} }) => Object.values(operations)),
    handleText(getOpenApi, "openapi.json"),
    handleText(getAdminOpenApi, production ? "openapi-admin.json" : "openapi-admin-demo.json"),
    handleText(getPostman, "postman.json"),
    handle(getClientPackage, clientPackage) as Handler,
  ];
}
