import type { Handler } from "@/server/core/contract";
import { handle } from "@/server/core/contract";
import { declared } from "@/server/core/domain";
import { isProduction } from "@/server/core/env";
import "@/server/domains";
import { clientPackage, getClientPackage } from "./client-package";
import { getAdminOpenApi, getOpenApi, getPostman, handleText } from "./openapi/served";

let cached: Handler[] | undefined;

export function handlers(): Handler[] {
  cached ??= handlersOf({ production: isProduction() });
  return cached;
}

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
