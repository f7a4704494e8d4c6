import type { Handler } from "@/server/core/contract";
import { createHandler } from "@/server/core/contract";
import { getRegisteredDomains } from "@/server/core/domain";
import { isProduction } from "@/server/core/env";
import "@/server/domains";
import { getClientPackage, openClientPackage } from "./client-package";
import { getAdminOpenApi, getOpenApi, getPostman, serveGeneratedFile } from "./openapi/generated-files";

let cachedHandlers: Handler[] | undefined;

export function getHandlers(): Handler[] {
  cachedHandlers ??= buildHandlers({ production: isProduction() });
  return cachedHandlers;
}

export function buildHandlers({ production }: { production: boolean }): Handler[] {
  return [
    ...getRegisteredDomains()
      .filter(({ demoOnly }) => !(demoOnly && production))
      .flatMap(({ operations = {} }) => Object.values(operations)),
    serveGeneratedFile(getOpenApi, "openapi.json"),
    serveGeneratedFile(getAdminOpenApi, production ? "openapi-admin.json" : "openapi-admin-demo.json"),
    serveGeneratedFile(getPostman, "postman.json"),
    createHandler(getClientPackage, openClientPackage) as Handler,
  ];
}
