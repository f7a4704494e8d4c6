import "server-only";
import { getLocale } from "next-intl/server";
import type { TryField, TrySpec } from "@/components/docs/try/types";
import type { AnyOperation } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { dictionaryOf } from "@/server/core/texts";
import { type JsonSchema, sampleOf } from "@/server/transports/rest/openapi/json-schema";
import { currentUser } from "@/server/transports/trpc/caller";
import { pagesOf } from "./chapters";
import { DEMO } from "./first-calls";
import { described, json, reference } from "./reference";
import { fieldsOf } from "./schema-text";

/** Returns the form of an operation for the current reader; undefined for undocumented operations. */
export async function trySpec(id: string): Promise<TrySpec | undefined> {
  const operation = described().find((each) => each.id === id);
  if (!operation) return undefined;
  const [locale, profile] = await Promise.all([getLocale(), currentUser().catch(() => null)]);
  const { params, query, body, upload } = operation;
  const chapter = pagesOf((await reference()).operations).find(({ operations }) =>
    operations.some((each) => each.id === id),
  );
  return {
    id,
    method: operation.method,
    path: operation.path,
    chapter: chapter?.slug ?? "",
    access: operation.access,
    siteKey: operation.siteKey === true,
    idempotent: operation.idempotent === true,
    needsConfirmation: needsConfirmation(operation),
    params: params ? tryFields(json(params, "input")) : [],
    query: query ? tryFields(json(query, "input")) : [],
    body: body ? JSON.stringify(sampleOf(json(body, "input"), { terse: true }), null, 2) : null,
    upload: upload ? { field: upload.field, accept: upload.types.join(",") } : null,
    signedIn: profile !== null,
    demo: env().production ? [] : DEMO.accounts.map((email) => ({ email, password: DEMO.password })),
    locale,
    texts: dictionaryOf(locale).docsTry as TrySpec["texts"],
  };
}

/** Operations that delete, cost money or affect access need a confirmation. May match too many. */
const RISKY = /delet|remov|clean|revers|payout|order|credit|bulk|activate|payment|password|logout|skip/i;

function needsConfirmation({ id, method, path, idempotent, errors }: AnyOperation): boolean {
  if (method === "GET") return false;
  if (method === "DELETE" || idempotent || errors?.includes("identity_unproven")) return true;
  return RISKY.test(`${id} ${path}`);
}

function tryFields(schema: JsonSchema): TryField[] {
  const samples = sampleOf(schema) as Record<string, unknown>;
  return fieldsOf(schema).map(({ path, type, required, values }) => {
    const sample = samples[path] === undefined || samples[path] === null ? "" : String(samples[path]);
    return { name: path, type, required, values, sample };
  });
}
