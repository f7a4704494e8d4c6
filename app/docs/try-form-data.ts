import "server-only";
import { getLocale } from "next-intl/server";
import type { TryField, TryFormData } from "@/components/docs/try/try-form-data";
import type { AnyOperation } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { readDictionary } from "@/server/core/texts";
import { buildSample, type JsonSchema } from "@/server/transports/rest/openapi/json-schema";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import { splitIntoPages } from "./chapters";
import { DEMO_CREDENTIALS } from "./first-calls";
import { getDocumentedOperations, getReference, toInlineSchema } from "./reference";
import { listFields } from "./schema-text";

/** Returns the data of the form that tries an operation; undefined for undocumented operations. */
export async function getTryFormData(id: string): Promise<TryFormData | undefined> {
  const operation = getDocumentedOperations().find((each) => each.id === id);
  if (!operation) return undefined;
  const [locale, profile] = await Promise.all([getLocale(), getCurrentUser().catch(() => null)]);
  const { params, query, body, upload } = operation;
  const page = splitIntoPages((await getReference()).operations).find(({ operations }) =>
    operations.some((each) => each.id === id),
  );
  return {
    id,
    method: operation.method,
    path: operation.path,
    pageSlug: page?.slug ?? "",
    access: operation.access,
    acceptsSiteKey: operation.acceptsSiteKey === true,
    idempotent: operation.idempotent === true,
    needsConfirmation: needsConfirmation(operation),
    params: params ? toTryFields(toInlineSchema(params, "input")) : [],
    query: query ? toTryFields(toInlineSchema(query, "input")) : [],
    body: body ? JSON.stringify(buildSample(toInlineSchema(body, "input"), { terse: true }), null, 2) : null,
    upload: upload ? { field: upload.field, accept: upload.types.join(",") } : null,
    isSignedIn: profile !== null,
    demoAccounts: env().production
      ? []
      : DEMO_CREDENTIALS.emails.map((email) => ({ email, password: DEMO_CREDENTIALS.password })),
    locale,
    texts: readDictionary(locale).docsTry as TryFormData["texts"],
  };
}

/** Matches operations that delete, cost money or affect access: the form asks before it sends them. */
const RISKY_PATTERN =
  /delet|remov|clean|revers|payout|order|credit|bulk|activate|payment|password|logout|skip/i;

function needsConfirmation({ id, method, path, idempotent, errors }: AnyOperation): boolean {
  if (method === "GET") return false;
  if (method === "DELETE" || idempotent || errors?.includes("identity_unproven")) return true;
  return RISKY_PATTERN.test(`${id} ${path}`);
}

function toTryFields(schema: JsonSchema): TryField[] {
  const samples = buildSample(schema) as Record<string, unknown>;
  return listFields(schema).map(({ path, type, required, values }) => {
    const sample = samples[path] === undefined || samples[path] === null ? "" : String(samples[path]);
    return { name: path, type, required, values, sample };
  });
}
