import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  count,
  Done,
  email,
  line,
  message,
  pathUlid,
  recordUlid,
  success,
  timestamp,
} from "@/server/core/schema";
import { IdentityConfirmed, SignedIn } from "@/server/domains/access/sign-in/contract";

/** Passkeys of one account. */
export const PASSKEYS_MAX = 20;
/** Life of a ceremony in seconds. */
export const CEREMONY_SECONDS = 300;
const NAME_MAX = 80;

/** Bytes as WebAuthn writes them. */
const base64url = z
  .string()
  .regex(/^[\w-]+={0,2}$/)
  .max(65_536)
  .meta({ example: "bTVXUEdZai1sTTk5TFN3ZmNrUHp1" });
const credentialId = z.string().meta({ example: "bTVXUEdZai1sTTk5TFN3ZmNrUHp1" });
const deviceName = z.string().meta({ example: "iPhone" });
const transports = z.array(z.string()).meta({ example: ["internal", "hybrid"] });

/**
 * A credential as every authenticator sends it (docs/contract.md 4.2). Further keys are the browser's own and are
 * ignored.
 */
const credential = <T extends z.ZodRawShape>(response: T) =>
  z
    .object({
      id: credentialId.min(1).max(1024),
      rawId: base64url.max(2048),
      type: z.literal("public-key"),
      response: z.object(response),
    })
    .refine(({ id, rawId }) => id === rawId.replace(/(?<!=)=+$/, ""), {
      path: ["rawId"],
      error: "validation.in",
    });

const Assertion = credential({
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
  userHandle: z.string().max(255).meta({ example: "dXNlci03" }).nullish(),
}).meta({ id: "Assertion" });
export type Assertion = z.infer<typeof Assertion>;

const Attestation = credential({
  clientDataJSON: base64url,
  attestationObject: base64url,
  transports: z
    .array(z.string().max(32))
    .max(10)
    .meta({ example: ["internal", "hybrid"] })
    .nullish(),
}).meta({ id: "Attestation" });
export type Attestation = z.infer<typeof Attestation>;

const challenge = z.string().meta({ example: "ObutwqdmLvTlUEz3z00sGOreh9wAt7AB3YnEoi1RxXM" });
const rpId = z.string().meta({ example: "example.com" });
const timeout = z.int().meta({ example: CEREMONY_SECONDS * 1000 });
const Descriptor = z
  .object({ id: credentialId, type: z.literal("public-key") })
  .meta({ id: "CredentialDescriptor" });

/** The options of a ceremony, as the browser's API takes them. */
const RequestOptions = z
  .object({
    challenge,
    rpId,
    timeout,
    userVerification: z.literal("required"),
    allowCredentials: z.array(Descriptor),
  })
  .meta({ id: "PasskeyRequestOptions" });

const challengeRef = z.string().meta({ example: "J6MjNQXwucQwlMUbfzkuQuF4TYehdpx-OtN9qCPHmvg" });
const Begun = {
  success,
  challenge_ref: challengeRef,
  expires_in: z.int().meta({ example: CEREMONY_SECONDS }),
};
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
    "an unknown address they are made up, and the same each time. With `purpose` set to `identity`, the result proves the " +
    "identity of a signed-in caller and does not sign in.",
  access: "public",
  wayIn: true,
  limit,
  body: z.object({
    email: email.nullish(),
    /** `login` when omitted. */
    purpose: z.enum(["login", "identity"]).nullish(),
  }),
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
  body: z.object({ credential: Assertion, challenge_ref: challengeRef.max(255) }),
  status: 200,
  output: SignedIn,
  errors: ["passkey_refused", "email_unverified", "account_disabled", "employer_disabled", "portal_locked"],
});

const Passkey = z
  .object({
    /** ULID */
    id: recordUlid,
    device_name: deviceName,
    /** What made it, when that is known. */
    authenticator: z.string().meta({ example: "iCloud Keychain" }).nullable(),
    /** Kept in sync by its maker: losing one device does not lose it. */
    backed_up: z.boolean(),
    transports,
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: "Passkey" });

export const listPasskeys = operation({
  id: "listPasskeys",
  method: "GET",
  path: "/api/profile/passkeys",
  tag,
  summary: "List the passkeys of the account",
  description:
    "The private key of a passkey never leaves its authenticator: what is listed opens nothing by itself.",
  access: "token",
  withoutFactor: true,
  viewAs: false,
  status: 200,
  output: z.object({ success, passkeys: z.array(Passkey), data: z.array(Passkey), count }),
});

const givenName = line({ max: NAME_MAX }).meta({ example: "iPhone" });
const change = { tag, access: "token", ability: "*" } as const;

const CreationOptions = z
  .object({
    challenge,
    rp: z.object({ id: rpId, name: z.string().meta({ example: "Tellal" }) }),
    user: z.object({
      id: z.string().meta({ example: "dXNlci03" }),
      name: z.string().meta({ example: "ayse@example.com" }),
      displayName: z.string().meta({ example: "Ayşe Kaya" }),
    }),
    pubKeyCredParams: z.array(
      z.object({ alg: z.int().meta({ example: -7 }), type: z.literal("public-key") }),
    ),
    timeout,
    attestation: z.literal("none"),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.literal(true),
      userVerification: z.literal("required"),
    }),
  })
  .meta({ id: "PasskeyCreationOptions" });

export const passkeyRegisterOptions = operation({
  ...change,
  id: "passkeyRegisterOptions",
  withoutFactor: true,
  method: "POST",
  path: "/api/profile/passkeys/register/options",
  summary: "Begin to add a passkey",
  description: "Needs a fresh proof of identity.",
  status: 200,
  output: z.object({ ...Begun, options: CreationOptions, publicKey: CreationOptions }),
  errors: ["identity_unproven", "email_needs_verification"],
});

export const passkeyRegisterVerify = operation({
  ...change,
  id: "passkeyRegisterVerify",
  withoutFactor: true,
  method: "POST",
  path: "/api/profile/passkeys/register/verify",
  summary: "Add a passkey",
  description:
    "Without `challenge_ref` the newest registration that the caller began is used. An account has at most 20 passkeys.",
  body: z.object({
    credential: Attestation,
    device_name: givenName.nullish(),
    challenge_ref: challengeRef.max(255).nullish(),
  }),
  status: 201,
  output: z.object({ success, passkey: Passkey, message }),
  errors: [
    "identity_unproven",
    "email_needs_verification",
    "passkey_invalid",
    "passkey_known",
    "passkeys_full",
  ],
});

const params = z.object({ id: pathUlid });

export const renamePasskey = operation({
  ...change,
  id: "renamePasskey",
  withoutFactor: true,
  method: "PUT",
  path: "/api/profile/passkeys/{id}",
  record: "Passkey",
  summary: "Rename a passkey",
  params,
  body: z.object({ device_name: givenName }),
  status: 200,
  output: z.object({ success, passkey: Passkey, message }),
  errors: ["record_not_found"],
});

export const deletePasskey = operation({
  ...change,
  id: "deletePasskey",
  withoutFactor: true,
  method: "DELETE",
  path: "/api/profile/passkeys/{id}",
  record: "Passkey",
  summary: "Delete a passkey",
  description: "Needs a fresh proof of identity. The last sign-in method cannot be deleted.",
  params,
  status: 200,
  output: Done,
  errors: ["record_not_found", "identity_unproven", "last_way_in"],
});

export const proveByPasskey = operation({
  ...change,
  id: "proveByPasskey",
  withoutFactor: true,
  method: "POST",
  path: "/api/auth/confirm-identity/passkey",
  summary: "Prove the caller's identity with a passkey",
  description:
    "Begin with the options of a passkey sign-in, with `purpose` set to `identity`. The proof is valid for ten minutes.",
  limit,
  body: z.object({ credential: Assertion, challenge_ref: challengeRef.max(255) }),
  status: 200,
  output: IdentityConfirmed,
  errors: ["passkey_refused"],
});
