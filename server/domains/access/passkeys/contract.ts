import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import {
  createdAt,
  Done,
  email,
  message,
  pathUlid,
  recordUlid,
  success,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { GATE_ERRORS, IdentityConfirmed, SignedIn } from "@/server/domains/access/sign-in/contract";

export const PASSKEYS_MAX = 20;
export const CEREMONY_SECONDS = 300;
const DEVICE_NAME_MAX = 80;

const base64url = z
  .string()
  .regex(/^[\w-]+={0,2}$/)
  .max(65_536)
  .meta({ example: "bTVXUEdZai1sTTk5TFN3ZmNrUHp1" });
const credentialId = f.text("Credential ID, base64url.", "bTVXUEdZai1sTTk5TFN3ZmNrUHp1");
const deviceName = f.text("Name of the device, chosen by the owner.", "iPhone");
const transports = f.list(z.string(), "Ways to reach the authenticator.", ["internal", "hybrid"]);

/** Fields that all authenticators send (docs/contract.md 4.2); further keys of browsers are ignored. */
const credentialSchema = <T extends z.ZodRawShape>(response: T) =>
  z
    .object({
      id: credentialId.min(1).max(1024).meta({ description: "Credential ID, base64url." }),
      rawId: base64url.max(2048).meta({ description: "Credential ID, base64url." }),
      type: z.literal("public-key").meta({ description: "Type of the credential." }),
      response: z.object(response).meta({ description: "Response of the authenticator." }),
    })
    .refine(({ id, rawId }) => id === rawId.replace(/(?<!=)=+$/, ""), {
      path: ["rawId"],
      error: "validation.in",
    });

const clientDataJSON = base64url.meta({ description: "Client data of the browser, base64url." });

const Assertion = credentialSchema({
  clientDataJSON,
  authenticatorData: base64url.meta({ description: "Data of the authenticator, base64url." }),
  signature: base64url.meta({ description: "Signature of the authenticator, base64url." }),
  userHandle: f.nullish(
    z.string().max(255),
    "User handle of the account, base64url; null if none.",
    "dXNlci03",
  ),
}).meta({ id: "Assertion", description: "Credential from `navigator.credentials.get()`." });
export type Assertion = z.infer<typeof Assertion>;

const Attestation = credentialSchema({
  clientDataJSON,
  attestationObject: base64url.meta({ description: "Attestation with the public key, base64url." }),
  transports: f.nullish(z.array(z.string().max(32)).max(10), "Ways to reach the authenticator.", [
    "internal",
    "hybrid",
  ]),
}).meta({ id: "Attestation", description: "Credential from `navigator.credentials.create()`." });
export type Attestation = z.infer<typeof Attestation>;

const challenge = f.text(
  "Random challenge to sign, base64url.",
  "ObutwqdmLvTlUEz3z00sGOreh9wAt7AB3YnEoi1RxXM",
);
const rpId = f.text("Domain the passkey belongs to.", "example.com");
const timeout = f.integer("Time limit in milliseconds.", CEREMONY_SECONDS * 1000);
const CredentialDescriptor = f.namedObject("CredentialDescriptor", "Identifies a passkey.", {
  id: credentialId,
  type: z.literal("public-key").meta({ description: "Type of the credential." }),
});

const RequestOptions = f.namedObject("PasskeyRequestOptions", "Options for `navigator.credentials.get()`.", {
  challenge,
  rpId,
  timeout,
  userVerification: z
    .literal("required")
    .meta({ description: "Always `required`: the device must verify the user." }),
  allowCredentials: f.list(CredentialDescriptor, "Passkeys that can be used; empty allows any."),
});

const challengeRef = f.text(
  "Reference to send back with the credential.",
  "J6MjNQXwucQwlMUbfzkuQuF4TYehdpx-OtN9qCPHmvg",
);
const ceremonyFields = {
  success,
  challenge_ref: challengeRef,
  expires_in: f.integer("Seconds until the challenge expires.", CEREMONY_SECONDS),
};
const PASSKEY_LIMIT = { points: 30, per: 60, by: "ip" } as const;
const tag = "Passkeys";

export const passkeyLoginOptions = operation({
  id: "passkeyLoginOptions",
  method: "POST",
  path: "/api/auth/passkey/login/options",
  tag,
  summary: "Start a sign-in with a passkey",
  description:
    "Without `email`, the device offers its own passkeys. With `email`, `allowCredentials` lists the " +
    "account's passkeys. For an address without passkeys it lists invented ones, always the same, so " +
    "that the response does not reveal accounts. If `purpose` is `identity`, send the result to " +
    "`POST /api/auth/confirm-identity/passkey`; it cannot sign in.",
  access: "public",
  isSignIn: true,
  limit: PASSKEY_LIMIT,
  body: z.object({
    email: f.nullish(email, "Email address of the account."),
    purpose: f.nullish(z.enum(["login", "identity"]), "Purpose of the challenge; `login` when omitted."),
  }),
  output: z.object({
    ...ceremonyFields,
    options: RequestOptions,
    publicKey: RequestOptions.meta({ description: "Same as `options`." }),
  }),
});

export const passkeyLoginVerify = operation({
  id: "passkeyLoginVerify",
  method: "POST",
  path: "/api/auth/passkey/login/verify",
  tag,
  summary: "Sign in with a passkey",
  description:
    "Each `challenge_ref` works once, within five minutes. Makes the same checks as " +
    "`POST /api/auth/login`, except for the second factor: a passkey counts as two factors.",
  access: "public",
  isSignIn: true,
  limit: PASSKEY_LIMIT,
  body: z.object({
    credential: Assertion,
    challenge_ref: challengeRef.max(255).meta({ description: "`challenge_ref` from the options." }),
  }),
  output: SignedIn,
  errors: ["passkey_refused", ...GATE_ERRORS],
});

const Passkey = f.namedObject("Passkey", "A passkey of the account.", {
  id: recordUlid,
  device_name: deviceName,
  authenticator: f.nullable(
    z.string(),
    "Name of the passkey provider or security key; null if unknown.",
    "iCloud Keychain",
  ),
  backed_up: f.boolean("True when the passkey is synced between devices."),
  transports,
  created_at: createdAt,
  last_used_at: f.nullable(timestamp, "When it was last used; null if never."),
});

export const listPasskeys = operation({
  id: "listPasskeys",
  method: "GET",
  path: "/api/profile/passkeys",
  tag,
  summary: "List the passkeys of the account",
  description: "Oldest first. The private key of a passkey never leaves its authenticator.",
  access: "token",
  isAllowedWithoutFactor: true,
  viewAs: false,
  output: listOutput("passkeys", Passkey, "Passkeys of the account."),
});

const newDeviceName = textLine({ max: DEVICE_NAME_MAX }).meta({
  description: "New name of the device.",
  example: "iPhone",
});
const PASSKEY_OPERATION = { tag, access: "token", ability: "*" } as const;
const PROOF_TEXT = "Needs a recent proof of identity (`confirmIdentity`).";

const CreationOptions = f.namedObject(
  "PasskeyCreationOptions",
  "Options for `navigator.credentials.create()`.",
  {
    challenge,
    rp: z
      .object({ id: rpId, name: f.text("Name of the product.", "Tellal") })
      .meta({ description: "Relying party of the passkey." }),
    user: z
      .object({
        id: f.text("User handle, base64url.", "dXNlci03"),
        name: f.text("Email address of the account.", "ayse@example.com"),
        displayName: f.text("Name of the user.", "Ayşe Kaya"),
      })
      .meta({ description: "Account the passkey is for." }),
    pubKeyCredParams: f.list(
      z.object({
        alg: f.integer("COSE algorithm identifier.", -7),
        type: z.literal("public-key").meta({ description: "Type of the credential." }),
      }),
      "Accepted algorithms, preferred first.",
    ),
    timeout,
    attestation: z.literal("none").meta({ description: "Always `none`: no attestation is requested." }),
    excludeCredentials: f.list(CredentialDescriptor, "Passkeys the account already has."),
    authenticatorSelection: z
      .object({
        residentKey: z
          .literal("required")
          .meta({ description: "Always `required`: the passkey must be discoverable." }),
        requireResidentKey: z
          .literal(true)
          .meta({ description: "Same as `residentKey`, for older browsers." }),
        userVerification: z
          .literal("required")
          .meta({ description: "Always `required`: the device must verify the user." }),
      })
      .meta({ description: "Requirements for the authenticator." }),
  },
);

export const passkeyRegisterOptions = operation({
  ...PASSKEY_OPERATION,
  id: "passkeyRegisterOptions",
  isAllowedWithoutFactor: true,
  method: "POST",
  path: "/api/profile/passkeys/register/options",
  summary: "Start the registration of a passkey",
  description: `The account needs a verified email address. ${PROOF_TEXT}`,
  output: z.object({
    ...ceremonyFields,
    options: CreationOptions,
    publicKey: CreationOptions.meta({ description: "Same as `options`." }),
  }),
  errors: ["identity_unproven", "email_needs_verification"],
});

export const passkeyRegisterVerify = operation({
  ...PASSKEY_OPERATION,
  id: "passkeyRegisterVerify",
  isAllowedWithoutFactor: true,
  method: "POST",
  path: "/api/profile/passkeys/register/verify",
  summary: "Add a passkey",
  description:
    `An account has at most ${PASSKEYS_MAX} passkeys and needs a verified email address. ` + `${PROOF_TEXT}`,
  body: z.object({
    credential: Attestation,
    device_name: f.nullish(newDeviceName, "Name of the device; derived from the authenticator when omitted."),
    challenge_ref: f.nullish(
      challengeRef.max(255),
      "`challenge_ref` from the options; that of the newest registration when omitted.",
    ),
  }),
  status: 201,
  output: f.success({ passkey: Passkey, message }),
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
  ...PASSKEY_OPERATION,
  id: "renamePasskey",
  isAllowedWithoutFactor: true,
  method: "PUT",
  path: "/api/profile/passkeys/{id}",
  record: "Passkey",
  summary: "Rename a passkey",
  params,
  body: z.object({ device_name: newDeviceName }),
  output: f.success({ passkey: Passkey, message }),
});

export const deletePasskey = operation({
  ...PASSKEY_OPERATION,
  id: "deletePasskey",
  isAllowedWithoutFactor: true,
  method: "DELETE",
  path: "/api/profile/passkeys/{id}",
  record: "Passkey",
  summary: "Delete a passkey",
  description: `The last sign-in method cannot be deleted (\`last_way_in\`). ${PROOF_TEXT}`,
  params,
  output: Done,
  errors: ["identity_unproven", "last_way_in"],
});

export const proveByPasskey = operation({
  ...PASSKEY_OPERATION,
  id: "proveByPasskey",
  isAllowedWithoutFactor: true,
  method: "POST",
  path: "/api/auth/confirm-identity/passkey",
  summary: "Prove the caller's identity with a passkey",
  description:
    "Start with `POST /api/auth/passkey/login/options` and `purpose` set to `identity`. The proof is " +
    "valid for ten minutes and belongs to the token or session that made it.",
  limit: PASSKEY_LIMIT,
  body: z.object({
    credential: Assertion,
    challenge_ref: challengeRef.max(255).meta({ description: "`challenge_ref` from the options." }),
  }),
  output: IdentityConfirmed,
  errors: ["passkey_refused"],
});
