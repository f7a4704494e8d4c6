import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type AnyOperation, type Handler, operation, RawJson } from "@/server/core/contract";
import { env } from "@/server/core/env";
import type { ErrorCode } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";

const SHARED_OPTIONS = {
  method: "GET",
  tag: "Operation",
  access: "public",
  cacheControl: "public, max-age=300",
} as const;

export const getOpenApi = operation({
  ...SHARED_OPTIONS,
  id: "getOpenApi",
  path: "/api/openapi.json",
  summary: "Get this OpenAPI 3.1 document",
  output: z.record(z.string(), z.unknown()).meta({ example: { openapi: "3.1.0" } }),
});

export const getAdminOpenApi = operation({
  ...SHARED_OPTIONS,
  id: "getAdminOpenApi",
  path: "/api/openapi-admin.json",
  summary: "Get the OpenAPI 3.1 document for administrators",
  output: z.record(z.string(), z.unknown()).meta({ example: { openapi: "3.1.0" } }),
});

export const getPostman = operation({
  ...SHARED_OPTIONS,
  id: "getPostman",
  path: "/api/postman.json",
  summary: "Get this API as a Postman collection",
  description:
    "Collection format 2.1, generated from the OpenAPI documents. A sign-in stores its token for the other requests. The " +
    "folder “First calls” can be run from top to bottom.",
  limit: { points: 120, per: 60, by: "ip" },
  output: z.record(z.string(), z.unknown()).meta({ example: { info: { name: "__APP_NAME__ API" } } }),
});

export const PLACEHOLDERS = {
  APP_NAME: "__APP_NAME__",
  APP_URL: "https://app-url.invalid",
  DEMO_EMAIL: "__DEMO_EMAIL__",
  DEMO_PASSWORD: "__DEMO_PASSWORD__",
};

/** Creates the handler of an operation that returns a file written by `npm run generate`. */
export function serveGeneratedFile(contract: AnyOperation, file: string): Handler {
  return {
    operation: contract,
    cachedOutput: () => readGeneratedFile(file),
    run: async () => readGeneratedFile(file),
  };
}

const cachedFiles = lazyValue(() => new Map<string, RawJson>());

function readGeneratedFile(file: string): RawJson {
  const path = join(process.cwd(), "server/transports/rest/generated", file);
  const json = cachedFiles().get(file) ?? new RawJson(fillPlaceholders(readFileSync(path, "utf8")));
  cachedFiles().set(file, json);
  return json;
}

export function fillPlaceholders(text: string): string {
  const { APP_NAME, APP_URL, production } = env();
  const [DEMO_EMAIL, DEMO_PASSWORD] = production ? ["", ""] : ["customer@example.com", "demo-password"];
  return Object.entries({ APP_NAME, APP_URL, DEMO_EMAIL, DEMO_PASSWORD }).reduce(
    (filledText, [name, value]) =>
      filledText.replaceAll(PLACEHOLDERS[name as keyof typeof PLACEHOLDERS], () =>
        JSON.stringify(value).slice(1, -1),
      ),
    text,
  );
}

export function listErrorCodes(contract: AnyOperation): ErrorCode[] {
  const limitCode = contract.isSignIn ? "way_in_throttled" : "too_many_requests";
  const codes: ErrorCode[] = [
    limitCode,
    "server_error",
    "busy",
    "storage_full",
    "storage_away",
    ...(contract.errors ?? []),
  ];
  if (contract.access === "token") codes.push("unauthenticated", "forbidden", "account_passive");
  if (contract.access === "token" && !contract.isAllowedWithoutFactor) codes.push("second_factor_required");
  if (contract.acceptsSiteKey) codes.push("widget_key_refused");
  if (contract.params?.shape.id) codes.push("record_not_found");
  if (contract.body)
    codes.push("malformed_json", "body_timeout", "body_too_large", "media_type_unsupported", "validation");
  if (contract.upload)
    codes.push("malformed_request", "body_timeout", "body_too_large", "media_type_unsupported", "validation");
  if (contract.query) codes.push("validation");
  if (contract.idempotent) codes.push("idempotency_in_progress", "idempotency_key_reused", "validation");
  return [...new Set(codes)];
}
