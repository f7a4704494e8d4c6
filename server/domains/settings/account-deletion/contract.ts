import * as z from "zod";
import { operation } from "@/server/core/contract";
import type { Topic } from "@/server/core/domain";
import {
  expiry,
  maskedEmail,
  message,
  pathUlid,
  recordUlid,
  sixDigits,
  success,
  timestamp,
} from "@/server/core/schema";

/** Minutes that a mailed code is valid. */
export const CODE_MINUTES = 15;
/** Wrong attempts after which a code is void. */
export const CODE_TRIES = 5;
/** Minutes since the sign-in during which the typed word is enough. */
export const WORD_MINUTES = 60;

/** Typed instead of the code; any of them counts, in any case, with or without the dots of the Turkish I. */
export const WORDS = {
  tr: "SİL",
  en: "DELETE",
  ru: "УДАЛИТЬ",
  de: "LÖSCHEN",
  ar: "حذف",
  fr: "SUPPRIMER",
  it: "ELIMINA",
} as const;
export const LONG_WORD = "HESABIMI SİL";

/** Why an account is anonymised instead of deleted. */
export const Reason = z.enum(["sites", "subscriptions", "licences", "payments", "credits", "agreement"]);
export type Reason = z.infer<typeof Reason>;

const TopicLine = z
  .object({
    /** Key of the text in messages under `deletion.topics`. */
    topic: z.string().meta({ example: "sites" }) as z.ZodType<Topic>,
    rule: z.enum(["delete", "anonymise", "detach", "keep"]).meta({ example: "anonymise" }),
    /** Number of rows. */
    count: z.int().min(0).meta({ example: 2 }),
  })
  .meta({ id: "DeletionTopic" });
export type TopicCount = z.infer<typeof TopicLine>;

const Forecast = z.object({
  mode: z.enum(["delete", "anonymize"]).meta({ example: "anonymize" }),
  reasons: z.array(Reason),
  summary: z.object({
    sites: z.int().meta({ example: 2 }),
    connections: z.int().meta({ example: 0 }),
    invoices: z.int().meta({ example: 3 }),
    agents: z.int().meta({ example: 1 }),
  }),
});
export type Forecast = z.infer<typeof Forecast>;

const TEXT =
  "An account without financial records or sites is deleted; otherwise it is anonymised, and records that the law requires are kept.";

export const getDeletionForecast = operation({
  id: "getDeletionForecast",
  method: "GET",
  path: "/api/user/deletion",
  tag: "Account deletion",
  summary: "Forecast what deleting the account would do, and why",
  description: `${TEXT} Changes nothing and sends no mail.`,
  access: "token",
  ability: "*",
  viewAs: false,
  status: 200,
  output: z.object({
    success,
    ...Forecast.shape,
    masked_email: maskedEmail,
    /** Each kind of row, and what happens to it. */
    topics: z.array(TopicLine),
    kept_until: expiry.nullable(),
    /** Whether the typed word would be accepted instead of a code, for this token. */
    word_accepted: z.boolean(),
    words: z.array(z.string()).meta({ example: [WORDS.tr, LONG_WORD, WORDS.en] }),
  }),
});

export const requestDeletion = operation({
  id: "requestDeletion",
  method: "POST",
  path: "/api/auth/account/delete-request",
  tag: "Account deletion",
  summary: "Request the code that deletes the account",
  description: `Mails a six-digit code, valid for 15 minutes; a new code replaces the previous one. ${TEXT}`,
  access: "token",
  ability: "*",
  limit: { points: 3, per: 3600, by: "account", durable: true },
  status: 200,
  output: z.object({
    success,
    message,
    masked_email: maskedEmail,
    expires_in: z.int().meta({ example: CODE_MINUTES * 60 }),
    ...Forecast.shape,
  }),
});

const certificateCode = z.string().meta({ example: "Q4WX-9KTP-2MVB" });

export const confirmDeletion = operation({
  id: "confirmDeletion",
  method: "POST",
  path: "/api/auth/account/confirm-delete",
  tag: "Account deletion",
  summary: "Delete the account",
  description:
    "With the mailed code, or with the typed word within 60 minutes of the sign-in. Five wrong codes invalidate the code. " +
    "Afterwards nothing of the account works, including this token.",
  access: "token",
  ability: "*",
  body: z
    .object({
      /** The six digits of the mail. */
      code: sixDigits.nullish(),
      /** The typed word, such as SİL or DELETE. */
      confirmation: z.string().max(32).meta({ example: WORDS.en }).nullish(),
    })
    .refine(({ code, confirmation }) => Boolean(code || confirmation), {
      path: ["code"],
      error: "validation.code_or_word",
    })
    .meta({ example: { code: "482913" } }),
  status: 200,
  output: z.object({
    success,
    message,
    mode: z.enum(["deleted", "anonymized"]),
    /** External connections that were closed at once, and those that jobs will close. */
    channels: z.object({ cleaned: z.int().meta({ example: 1 }), pending: z.int().meta({ example: 0 }) }),
    certificate_id: recordUlid,
    /** Opens the certificate, together with its number; mailed too, shown nowhere again. */
    certificate_code: certificateCode,
  }),
  errors: ["code_wrong", "deletion_word_wrong", "deletion_needs_code", "last_administrator"],
});

export const getDeletionCertificate = operation({
  id: "getDeletionCertificate",
  method: "GET",
  path: "/api/deletion-certificates/{id}",
  tag: "Account deletion",
  summary: "Check a deletion certificate",
  description:
    "The certificate identifies no person: it states what was erased, what is kept until when, and what is still being " +
    "undone at other services. That it exists is known to its holder only, so without its code the response is 404.",
  access: "public",
  record: "DeletionCertificate",
  limit: { points: 30, per: 60, by: "ip" },
  params: z.object({ id: pathUlid }),
  query: z.object({ code: certificateCode.max(64) }),
  status: 200,
  output: z.object({
    success,
    certificate: z.object({
      id: recordUlid,
      mode: z.enum(["deleted", "anonymized"]),
      created_at: timestamp,
      kept_until: expiry.nullable(),
      topics: z.array(TopicLine),
      /** External connections, such as Apple's: closed, pending, given up. */
      outside: z.object({
        done: z.int().meta({ example: 1 }),
        pending: z.int().meta({ example: 0 }),
        failed: z.int().meta({ example: 0 }),
      }),
      /** SHA-256 over the lines above except `outside`, in hexadecimal. */
      fingerprint: z
        .string()
        .meta({ example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c" }),
    }),
  }),
});
