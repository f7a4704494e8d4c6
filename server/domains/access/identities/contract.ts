import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import {
  byId,
  createdAt,
  Done,
  mapSchema,
  personName,
  recordId,
  success,
  textLine,
  timestamp,
} from "@/server/core/schema";
import { accessTokenField, GATE_ERRORS, SecondFactorDue } from "@/server/domains/access/sign-in/contract";
import { Consents } from "@/server/domains/accounts/consents/contract";
import { Modules, User } from "@/server/domains/accounts/profile/contract";

export const IDENTITY_PROVIDERS = ["google", "apple"] as const;
export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

/** The limit is about ten times the length of a usual token. */
const idToken = z.string().max(16_384).meta({ example: "eyJhbGciOiJSUzI1NiJ9.…" });

const SignedInByProvider = f.namedObject(
  "SignedInByProvider",
  "Result of a sign-in with an identity provider.",
  {
    success,
    user: User.pick({
      id: true,
      name: true,
      email: true,
      avatar_url: true,
      role: true,
      provider: true,
      email_verified_at: true,
    })
      .extend({
        provider: User.shape.provider.meta({
          description: "Origin of the account: `google`, `apple` or `email`.",
          example: "google",
        }),
      })
      .meta({ description: "The signed-in account." }),
    token: accessTokenField.meta({ description: "Access token, `dsu_…`." }),
    modules: Modules,
    consents_required: z
      .array(z.string())
      .optional()
      .meta({
        description: "Keys of the missing mandatory consents; absent if none is missing.",
        example: ["terms"],
      }),
  },
);
export type SignedInByProvider = z.infer<typeof SignedInByProvider>;

const PROVIDER_SIGN_IN_ERRORS = [
  "identity_token_invalid",
  "identity_audience_wrong",
  "identity_email_unverified",
  "identity_email_taken",
  "identity_without_email",
  "identity_not_configured",
  "identity_provider_down",
  ...GATE_ERRORS,
  "sign_up_closed",
  "sign_up_by_invitation",
] as const;

const PROVIDER_LIMIT = { points: 20, per: 60, by: "ip", durable: true } as const;

const SIGN_IN_RULES_TEXT =
  "Each `id_token` is accepted once, within ten minutes after it was issued. The first sign-in of an " +
  "identity links it to the verified account with its email address, or creates an account if none has " +
  "that address. An account with another identity is refused (`identity_email_taken`), and so is an " +
  "unverified account with history. An unverified account without history is handed over to the caller: " +
  "its data is deleted. If the account has a second factor, the response contains an `interim_token`: " +
  "finish with `POST /api/auth/2fa/challenge` or `POST /api/auth/2fa/recovery`. A `device_token` is not " +
  "accepted here. The account cannot create sites while `consents_required` lists consents.";

export const signInWithGoogle = operation({
  id: "signInWithGoogle",
  method: "POST",
  path: "/api/auth/google",
  tag: "Sign-in",
  summary: "Sign in or sign up with a Google ID token",
  description: SIGN_IN_RULES_TEXT,
  access: "public",
  isSignIn: true,
  limit: PROVIDER_LIMIT,
  body: z.object({
    id_token: idToken.meta({ description: "ID token from Google (JWT)." }),
    consents: f.nullish(
      mapSchema(Consents),
      "Consents that the user gives, by key; used for a new account only.",
    ),
  }),
  output: z.union([SignedInByProvider, SecondFactorDue]),
  errors: PROVIDER_SIGN_IN_ERRORS,
});

export const signInWithApple = operation({
  id: "signInWithApple",
  method: "POST",
  path: "/api/auth/apple",
  tag: "Sign-in",
  summary: "Sign in or sign up with an Apple ID token",
  description: `${SIGN_IN_RULES_TEXT} Apple sends the name to the app only at the first sign-in: pass it on in \`name\`.`,
  access: "public",
  isSignIn: true,
  limit: PROVIDER_LIMIT,
  body: z.object({
    id_token: idToken.meta({ description: "ID token from Apple (JWT)." }),
    name: f.nullish(personName, "Name of the user, as Apple sent it to the app."),
    consents: f.nullish(
      mapSchema(Consents),
      "Consents that the user gives, by key; used for a new account only.",
    ),
    authorization_code: f.nullish(
      textLine({ max: 1024 }),
      "Authorization code from Apple. It is stored encrypted, to revoke Apple's grant when the account " +
        "is deleted.",
      "c1a2b3d4…",
    ),
    nonce: f.nullish(
      textLine({ max: 255 }),
      "Nonce of the app's request, unhashed. The token must contain it or its SHA-256 in hexadecimal.",
      "n-0S6_WzA2Mj",
    ),
  }),
  output: z.union([SignedInByProvider, SecondFactorDue]),
  errors: PROVIDER_SIGN_IN_ERRORS,
});

const Identity = f.namedObject("Identity", "An identity provider connected to the account.", {
  id: recordId,
  provider: f.oneOf(IDENTITY_PROVIDERS, "Identity provider."),
  email: User.shape.email.meta({ description: "Email address that the provider reported last." }),
  created_at: createdAt,
  last_used_at: f.nullable(timestamp, "When it was last used to sign in; null if never."),
});

const IDENTITY_OPERATION = {
  tag: "Sign-in",
  access: "token",
  ability: "*",
  isAllowedWithoutFactor: true,
} as const;

export const listIdentities = operation({
  id: "listIdentities",
  method: "GET",
  path: "/api/profile/identities",
  ...IDENTITY_OPERATION,
  summary: "List the connected accounts at identity providers",
  viewAs: false,
  output: f.success({
    data: f.list(Identity, "Connected identities."),
    available: f.list(z.enum(IDENTITY_PROVIDERS), "Identity providers available on this installation."),
    other_way_in: f.boolean(
      "True when the account has a password or a passkey, so that its last identity can be removed.",
    ),
  }),
});

export const connectIdentity = operation({
  id: "connectIdentity",
  method: "POST",
  path: "/api/profile/identities",
  ...IDENTITY_OPERATION,
  summary: "Connect an account at an identity provider",
  description:
    "The identity can then be used to sign in; its email address may differ from the account's. The " +
    "account needs a verified email address. Needs a recent proof of identity (`confirmIdentity`).",
  limit: PROVIDER_LIMIT,
  body: z.object({
    provider: f.oneOf(IDENTITY_PROVIDERS, "Identity provider."),
    id_token: idToken.meta({ description: "ID token from the provider (JWT)." }),
  }),
  status: 201,
  output: f.changeOutput({ identity: Identity }),
  errors: [
    "identity_token_invalid",
    "identity_audience_wrong",
    "identity_email_unverified",
    "identity_without_email",
    "identity_not_configured",
    "identity_provider_down",
    "identity_in_use",
    "identity_unproven",
    "email_needs_verification",
  ],
});

export const startConnecting = operation({
  id: "startConnecting",
  method: "POST",
  path: "/api/profile/identities/start",
  ...IDENTITY_OPERATION,
  summary: "Check whether an identity can be connected",
  description:
    "Checks the email address and the proof of identity as `POST /api/profile/identities` does. Call " +
    "it before you redirect the user to the provider. The proof must still be valid when the user " +
    "returns.",
  output: f.success({
    available: f.list(z.enum(IDENTITY_PROVIDERS), "Identity providers available on this installation."),
  }),
  errors: ["identity_unproven", "email_needs_verification"],
});

export const removeIdentity = operation({
  id: "removeIdentity",
  method: "DELETE",
  path: "/api/profile/identities/{id}",
  ...IDENTITY_OPERATION,
  summary: "Disconnect an account at an identity provider",
  description:
    "Needs a recent proof of identity (`confirmIdentity`). The last sign-in method cannot be removed " +
    "(`last_way_in`).",
  ...byId("ExternalIdentity"),
  output: Done,
  errors: ["last_way_in", "identity_unproven"],
});
