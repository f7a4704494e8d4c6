import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  createdAt,
  Done,
  line,
  mapOf,
  message,
  pathId,
  personName,
  recordId,
  success,
  timestamp,
} from "@/server/core/schema";
import { SecondFactorDue, userToken } from "@/server/domains/access/sign-in/contract";
import { Consents } from "@/server/domains/accounts/consents/contract";
import { Modules, User } from "@/server/domains/accounts/profile/contract";

export const IDENTITY_PROVIDERS = ["google", "apple"] as const;
export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

/** A JWT of a provider; the longest seen are a tenth of this. */
const idToken = z.string().max(16_384).meta({ example: "eyJhbGciOiJSUzI1NiJ9.…" });

const SignedInByProvider = z
  .object({
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
    token: userToken.meta({ description: "Access token, `dsu_…`." }),
    modules: Modules,
    consents_required: z
      .array(z.string())
      .optional()
      .meta({
        description: "Mandatory consents still to be given; absent if all are given.",
        example: ["terms"],
      }),
  })
  .meta({ id: "SignedInByProvider", description: "Result of a sign-in with an identity provider." });
export type SignedInByProvider = z.infer<typeof SignedInByProvider>;

const errors = [
  "identity_token_invalid",
  "identity_audience_wrong",
  "identity_email_unverified",
  "identity_email_taken",
  "identity_without_email",
  "identity_not_configured",
  "identity_provider_down",
  "email_unverified",
  "account_disabled",
  "employer_disabled",
  "portal_locked",
  "sign_up_closed",
  "sign_up_by_invitation",
] as const;

const limit = { points: 20, per: 60, by: "ip", durable: true } as const;

const RULES =
  "An `id_token` is accepted once, within ten minutes of being issued. `consents_required` lists mandatory consents that " +
  "the account has not given; until they are given, it cannot create sites.";

export const signInWithGoogle = operation({
  id: "signInWithGoogle",
  method: "POST",
  path: "/api/auth/google",
  tag: "Sign-in",
  summary: "Sign in or sign up with a Google ID token",
  description: RULES,
  access: "public",
  wayIn: true,
  limit,
  body: z.object({
    id_token: idToken.meta({ description: "ID token from Google (JWT)." }),
    consents: mapOf(Consents).nullish().meta({ description: "Consents the person gives, by key." }),
  }),
  output: z.union([SignedInByProvider, SecondFactorDue]),
  errors,
});

export const signInWithApple = operation({
  id: "signInWithApple",
  method: "POST",
  path: "/api/auth/apple",
  tag: "Sign-in",
  summary: "Sign in or sign up with an Apple ID token",
  description: `${RULES} Apple sends the name only at the first sign-in: pass it on in \`name\`.`,
  access: "public",
  wayIn: true,
  limit,
  body: z.object({
    id_token: idToken.meta({ description: "ID token from Apple (JWT)." }),
    name: personName.nullish().meta({ description: "Name of the person, as Apple sent it." }),
    consents: mapOf(Consents).nullish().meta({ description: "Consents the person gives, by key." }),
    authorization_code: line({ max: 1024 }).nullish().meta({
      description: "Stored encrypted, to revoke the grant at Apple when the account is deleted.",
      example: "c1a2b3d4…",
    }),
    nonce: line({ max: 255 }).nullish().meta({
      description: "Plain nonce of the app's request; the token contains it or its SHA-256 in hexadecimal.",
      example: "n-0S6_WzA2Mj",
    }),
  }),
  output: z.union([SignedInByProvider, SecondFactorDue]),
  errors,
});

const Identity = z
  .object({
    id: recordId,
    provider: z.enum(IDENTITY_PROVIDERS).meta({ description: "Identity provider." }),
    email: User.shape.email.meta({ description: "E-mail address the provider last reported." }),
    created_at: createdAt,
    last_used_at: timestamp
      .nullable()
      .meta({ description: "When it was last used to sign in; null if never." }),
  })
  .meta({ id: "Identity", description: "An identity provider connected to the account." });

export const listIdentities = operation({
  id: "listIdentities",
  method: "GET",
  path: "/api/profile/identities",
  tag: "Sign-in",
  summary: "List the connected accounts at identity providers",
  access: "token",
  withoutFactor: true,
  ability: "*",
  viewAs: false,
  output: z.object({
    success,
    data: z.array(Identity).meta({ description: "Connected identities." }),
    available: z
      .array(z.enum(IDENTITY_PROVIDERS))
      .meta({ description: "Identity providers available on this installation." }),
    other_way_in: z
      .boolean()
      .meta({ description: "True when the last identity can be removed: a password or a passkey remains." }),
  }),
});

export const connectIdentity = operation({
  id: "connectIdentity",
  method: "POST",
  path: "/api/profile/identities",
  tag: "Sign-in",
  summary: "Connect an account at an identity provider",
  description:
    "The connected account can then be used to sign in; its e-mail address may differ. Needs a fresh proof of identity.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  limit,
  body: z.object({
    provider: z.enum(IDENTITY_PROVIDERS).meta({ description: "Identity provider." }),
    id_token: idToken.meta({ description: "ID token from the provider (JWT)." }),
  }),
  status: 201,
  output: z.object({ success, message, identity: Identity }),
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
  tag: "Sign-in",
  summary: "Check whether an identity can be connected",
  description:
    "Call it before redirecting a person to the provider: the proof of identity must still be fresh when they return.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  output: z.object({
    success,
    available: z
      .array(z.enum(IDENTITY_PROVIDERS))
      .meta({ description: "Identity providers available on this installation." }),
  }),
  errors: ["identity_unproven", "email_needs_verification"],
});

export const removeIdentity = operation({
  id: "removeIdentity",
  method: "DELETE",
  path: "/api/profile/identities/{id}",
  tag: "Sign-in",
  summary: "Disconnect an account at an identity provider",
  description: "Needs a fresh proof of identity. The last sign-in method cannot be removed.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  record: "ExternalIdentity",
  params: z.object({ id: pathId }),
  output: Done,
  errors: ["last_way_in", "identity_unproven"],
});
