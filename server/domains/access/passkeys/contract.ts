import * as z from "zod";
import { operation } from "@/server/core/contract";
import { email, line, success, timestamp } from "@/server/core/schema";
import { SignedIn } from "@/server/domains/access/sign-in/contract";

/** Passkeys of one account. */
export const PASSKEYS_MAX = 20;
/** Life of a ceremony in seconds. */
export const CEREMONY_SECONDS = 300;
const NAME_MAX = 80;

/** Bytes as WebAuthn writes them. */
const base64url = z
  .string()
  .regex(/^[\w-]+={0,2}$/)
  .max(65_536);

/**
 * A credential as every authenticator sends it (docs/contract.md 4.2). Further keys are the browser's own and are
 * ignored.
 */
const credential = <T extends z.ZodRawShape>(response: T) =>
  z
    .object({
      id: z.string().min(1).max(1024),
      rawId: base64url.max(2048),
      type: z.literal("public-key"),
      response: z.object(response),
    })
    .refine(({ id, rawId }) => id === rawId.replace(/=+$/, ""), { path: ["rawId"], error: "validation.in" });

const Assertion = credential({
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
  userHandle: z.string().max(255).nullish(),
});
export type Assertion = z.infer<typeof Assertion>;

const Attestation = credential({
  clientDataJSON: base64url,
  attestationObject: base64url,
  transports: z.array(z.string().max(32)).max(10).nullish(),
});
export type Attestation = z.infer<typeof Attestation>;

/** The options of a ceremony, as the browser's API takes them. */
const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal("required"),
  allowCredentials: z.array(z.object({ id: z.string(), type: z.literal("public-key") })),
});

const challengeRef = z.string().max(255);
const Begun = { success, challenge_ref: z.string(), expires_in: z.int() };
const limit = { points: 30, per: 60, by: "ip" } as const;
const tag = "Passkeys";

export const passkeyLoginOptions = operation({
  id: "passkeyLoginOptions",
  method: "POST",
  path: "/api/auth/passkey/login/options",
  tag,
  summary: "Begin to sign in with a passkey",
  description:
    "Without `email` the device offers its own passkeys. With an address, the response always lists credentials; for " +
    "an unknown address they are made up, and the same each time.",
  access: "public",
  wayIn: true,
  limit,
  body: z.object({ email: email.nullish() }),
  status: 200,
  output: z.object({ ...Begun, options: RequestOptions, publicKey: RequestOptions }),
});

export const passkeyLoginVerify = operation({
  id: "passkeyLoginVerify",
  method: "POST",
  path: "/api/auth/passkey/login/verify",
  tag,
  summary: "Sign in with a passkey",
  description:
    "A `challenge_ref` works once, within five minutes. The same checks as for a login apply, without a second factor.",
  access: "public",
  wayIn: true,
  limit,
  body: z.object({ credential: Assertion, challenge_ref: challengeRef }),
  status: 200,
  output: SignedIn,
  errors: ["passkey_refused", "email_unverified", "account_disabled", "portal_locked"],
});

const Passkey = z.object({
  /** ULID */
  id: z.string(),
  device_name: z.string(),
  /** What made it, when that is known. */
  authenticator: z.string().nullable(),
  /** Kept in sync by its maker: losing one device does not lose it. */
  backed_up: z.boolean(),
  transports: z.array(z.string()),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

export const listPasskeys = operation({
  id: "listPasskeys",
  method: "GET",
  path: "/api/profile/passkeys",
  tag,
  summary: "List the passkeys of the account",
  access: "token",
  status: 200,
  output: z.object({ success, passkeys: z.array(Passkey), data: z.array(Passkey), count: z.int() }),
});

const change = { tag, access: "token", ability: "*" } as const;

const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal("public-key") })),
  timeout: z.int(),
  attestation: z.literal("none"),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal("public-key") })),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
});

export const passkeyRegisterOptions = operation({
  ...change,
  id: "passkeyRegisterOptions",
  method: "POST",
  path: "/api/profile/passkeys/register/options",
  summary: "Begin to add a passkey",
  description: "Needs a fresh proof of identity.",
  status: 200,
  output: z.object({ ...Begun, options: CreationOptions, publicKey: CreationOptions }),
  errors: ["identity_unproven"],
});

export const passkeyRegisterVerify = operation({
  ...change,
  id: "passkeyRegisterVerify",
  method: "POST",
  path: "/api/profile/passkeys/register/verify",
  summary: "Add a passkey",
  description:
    "Without `challenge_ref` the newest registration that the caller began is used. An account has at most 20 passkeys.",
  body: z.object({
    credential: Attestation,
    device_name: line({ max: NAME_MAX }).nullish(),
    challenge_ref: challengeRef.nullish(),
  }),
  status: 201,
  output: z.object({ success, passkey: Passkey, message: z.string() }),
  errors: ["identity_unproven", "passkey_invalid", "passkey_known", "passkeys_full"],
});

const params = z.object({ id: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/) });

export const renamePasskey = operation({
  ...change,
  id: "renamePasskey",
  method: "PUT",
  path: "/api/profile/passkeys/{id}",
  record: "Passkey",
  summary: "Rename a passkey",
  params,
  body: z.object({ device_name: line({ max: NAME_MAX }) }),
  status: 200,
  output: z.object({ success, passkey: Passkey, message: z.string() }),
  errors: ["record_not_found"],
});

export const deletePasskey = operation({
  ...change,
  id: "deletePasskey",
  method: "DELETE",
  path: "/api/profile/passkeys/{id}",
  record: "Passkey",
  summary: "Delete a passkey",
  description: "Needs a fresh proof of identity. The last sign-in method cannot be deleted.",
  params,
  status: 200,
  output: z.object({ success, message: z.string() }),
  errors: ["record_not_found", "identity_unproven", "last_way_in"],
});

export const proveByPasskey = operation({
  ...change,
  id: "proveByPasskey",
  method: "POST",
  path: "/api/auth/confirm-identity/passkey",
  summary: "Prove the caller's identity with a passkey",
  description: "Begin with the options of a passkey sign-in. The proof is valid for ten minutes.",
  limit,
  body: z.object({ credential: Assertion, challenge_ref: challengeRef }),
  status: 200,
  output: z.object({ success, message: z.string(), expires_in: z.int() }),
  errors: ["passkey_refused"],
});
