import type { AnyOperation } from "@/server/core/contract";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { BODIES } from "./bodies";
import type { CallOptions } from "./http";
import { form } from "./multipart";

/** Returns the harmless body of an operation; every operation with a body needs one here. */
export function harmlessBody({ id, body }: AnyOperation): Record<string, unknown> | undefined {
  if (!body) return undefined;
  const found = BODIES[id];
  if (!found) throw new Error(`server/testing/bodies.ts needs a body for ${id}`);
  const missing = Object.keys(body.shape).filter((field) => !(field in found));
  if (missing.length > 0) throw new Error(`The body of ${id} in server/testing/bodies.ts lacks ${missing}`);
  return found;
}

/** The call of an operation with its harmless body, or with a file that is none of the accepted types. */
export function harmlessCall(operation: AnyOperation): CallOptions {
  if (operation.upload) return form([{ name: operation.upload.field, bytes: "none" }]);
  return { body: harmlessBody(operation) };
}

/** Parameters for cases in which the record does not matter. */
const PARAMETERS: Record<string, string> = { locale: "tr", method: "totp", picture: "logo", key: "terms" };

/** Paths whose `{id}` is a ULID; the others have integers. */
const ULIDS = ["/api/profile/passkeys/", "/api/admin/factor-resets/"];

function parameterOf(path: string, name: string): string {
  return PARAMETERS[name] ?? (ULIDS.some((start) => path.startsWith(start)) ? "0".repeat(26) : "1");
}

/** Returns a path of an operation with each parameter filled in. */
export function addressOf({ path }: Pick<AnyOperation, "path">): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => parameterOf(path, name));
}

/** Returns the parameters of {@link addressOf} as a procedure takes them. */
export function paramsOf({ path }: Pick<AnyOperation, "path">): Record<string, string> | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, parameterOf(path, name)]));
}

let people = 0;

/** Returns a registration that succeeds, with a unique address. */
export function registration(
  changes: Record<string, unknown> = {},
): Record<string, unknown> & { email: string } {
  return {
    name: "Ayşe Kaya",
    phone: "+905321234567",
    email: `person.${process.pid}.${++people}@example.com`,
    password: "correct-horse",
    password_confirmation: "correct-horse",
    consents: Object.fromEntries(CONSENTS.map((key) => [key, true])),
    ...changes,
  };
}
