import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type AnyOperation, type Handler, operation, RawJson } from "@/server/core/contract";
import { env } from "@/server/core/env";
import type { ErrorCode } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";

const DESCRIPTION = {
  method: "GET",
  tag: "Operation",
  access: "public",
  cacheControl: "public, max-age=300",
} as const;

export const getOpenApi = operation({
  ...DESCRIPTION,
  id: "getOpenApi",
  path: "/api/openapi.json",
  summary: "Get this OpenAPI 3.1 document",
  output: z.record(z.string(), z.unknown()).meta({ example: { openapi: "3.1.0" } }),
});

export const getAdminOpenApi = operation({
  ...DESCRIPTION,
  id: "getAdminOpenApi",
  path: "/api/openapi-admin.json",
  summary: "Get the OpenAPI 3.1 document for administrators",
  output: z.record(z.string(), z.unknown()).meta({ example: { openapi: "3.1.0" } }),
});

export const getPostman = operation({
  ...DESCRIPTION,
  id: "getPostman",
  path: "/api/postman.json",
  summary: "Get this API as a Postman collection",
  description:
    "Collection format 2.1, generated from the OpenAPI documents. A sign-in stores its token for the other requests. The " +
    "folder “First calls” can be run from top to bottom.",
  limit: { points: 120, per: 60, by: "ip" },
  output: z.record(z.string(), z.unknown()).meta({ example: { info: { name: "__APP_NAME__ API" } } }),
});

/** Placeholders for an installation's settings in generated files. */
export const PLACEHOLDERS = {
  APP_NAME: "__APP_NAME__",
  APP_URL: "https://app-url.invalid",
  DEMO_EMAIL: "__DEMO_EMAIL__",
  DEMO_PASSWORD: "__DEMO_PASSWORD__",
};

/** Serves a file that `npm run generate` writes as an operation. */
export function serveGeneratedFile(described: AnyOperation, file: string): Handler {
  return { operation: described, cachedOutput: () => textOf(file), run: async () => textOf(file) };
}

const texts = lazyValue(() => new Map<string, RawJson>());

function textOf(file: string): RawJson {
  const path = join(process.cwd(), "server/transports/rest/generated", file);
  const text = texts().get(file) ?? new RawJson(fillPlaceholders(readFileSync(path, "utf8")));
  texts().set(file, text);
  return text;
}

export function fillPlaceholders(text: string): string {
  const { APP_NAME, APP_URL, production } = env();
  const [DEMO_EMAIL, DEMO_PASSWORD] = production ? ["", ""] : ["customer@example.com", "demo-password"];
  return Object.entries({ APP_NAME, APP_URL, DEMO_EMAIL, DEMO_PASSWORD }).reduce(
    (filled, [name, value]) =>
      filled.replaceAll(PLACEHOLDERS[name as keyof typeof PLACEHOLDERS], () =>
        JSON.stringify(value).slice(1, -1),
      ),
    text,
  );
}

export function errorCodesOf(described: AnyOperation): ErrorCode[] {
  const tooMany = described.isSignIn ? "way_in_throttled" : "too_many_requests";
  const codes: ErrorCode[] = [
    tooMany,
    "server_error",
    "busy",
    "storage_full",
    "storage_away",
    ...(described.errors ?? []),
  ];
  if (described.access === "token") codes.push("unauthenticated", "forbidden", "account_passive");
  if (described.access === "token" && !described.isOpenWithoutFactor) codes.push("second_factor_required");
  if (described.siteKey) codes.push("widget_key_refused");
  if (described.params?.shape.id) codes.push("record_not_found");
  if (described.body)
    codes.push("malformed_json", "body_timeout", "body_too_large", "media_type_unsupported", "validation");
  if (described.upload)
    codes.push("malformed_request", "body_timeout", "body_too_large", "media_type_unsupported", "validation");
  if (described.query) codes.push("validation");
  if (described.idempotent) codes.push("idempotency_in_progress", "idempotency_key_reused", "validation");
  return [...new Set(codes)];
}
