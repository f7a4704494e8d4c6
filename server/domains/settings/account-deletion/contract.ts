import * as z from "zod";
import { operation } from "@/server/core/contract";
import type { Topic } from "@/server/core/domain";
import {
  createdAt,
  expiry,
  maskedEmail,
  message,
  pathUlid,
  recordUlid,
  sixDigits,
  success,
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
    topic: z.string().meta({
      description: "Key of the text under `deletion.topics` in the dictionary.",
      example: "sites",
    }) as z.ZodType<Topic>,
    rule: z
      .enum(["delete", "anonymise", "detach", "keep"])
      .meta({ description: "Outcome for the records.", example: "anonymise" }),
    count: z.int().min(0).meta({ description: "Number of records.", example: 2 }),
  })
  .meta({ id: "DeletionTopic", description: "Outcome for one kind of data." });
export type TopicCount = z.infer<typeof TopicLine>;

const Forecast = z.object({
  mode: z
    .enum(["delete", "anonymize"])
    .meta({ description: "Forecast: the account would be deleted or anonymised.", example: "anonymize" }),
  reasons: z.array(Reason).meta({ description: "Reasons to anonymise the account instead of deleting it." }),
  summary: z
    .object({
      sites: z.int().meta({ description: "Number of sites.", example: 2 }),
      connections: z.int().meta({ description: "Number of connections.", example: 0 }),
      invoices: z.int().meta({ description: "Number of invoices.", example: 3 }),
      agents: z.int().meta({ description: "Number of agents.", example: 1 }),
    })
    .meta({ description: "Numbers of records." }),
});
export type Forecast = z.infer<typeof Forecast>;

const TEXT =
  "An account without financial records or sites is deleted; otherwise it is anonymised, and records required by law are kept.";

export const getDeletionForecast = operation({
  id: "getDeletionForecast",
  method: "GET",
  path: "/api/user/deletion",
  tag: "Account deletion",
  summary: "Forecast what deleting the account would do",
  description: `${TEXT} Changes nothing and sends no mail.`,
  access: "token",
  ability: "*",
  viewAs: false,
  output: z.object({
    success,
    ...Forecast.shape,
    masked_email: maskedEmail.meta({ description: "E-mail address the code is sent to, masked." }),
    topics: z.array(TopicLine).meta({ description: "Outcome for each kind of data." }),
    kept_until: expiry
      .nullable()
      .meta({ description: "End of the legal retention period; null if no records are kept." }),
    word_accepted: z.boolean().meta({
      description: "True when typing the confirmation word is enough instead of a code, with this token.",
    }),
    words: z.array(z.string()).meta({
      description: "Words that confirm the deletion, one per language.",
      example: [WORDS.tr, LONG_WORD, WORDS.en],
    }),
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
  output: z.object({
    success,
    message,
    masked_email: maskedEmail.meta({ description: "E-mail address the code was sent to, masked." }),
    expires_in: z.int().meta({ description: "Seconds until the code expires.", example: CODE_MINUTES * 60 }),
    ...Forecast.shape,
  }),
});

const certificateCode = z.string().meta({
  description: "Code that opens the certificate together with its ID; mailed, too, and never shown again.",
  example: "Q4WX-9KTP-2MVB",
});

export const confirmDeletion = operation({
  id: "confirmDeletion",
  method: "POST",
  path: "/api/auth/account/confirm-delete",
  tag: "Account deletion",
  summary: "Delete the account",
  description:
    "Takes the mailed code, or the typed word within 60 minutes of the sign-in. Five wrong codes invalidate the code. " +
    "Afterwards nothing of the account works, including this token.",
  access: "token",
  ability: "*",
  body: z
    .object({
      code: sixDigits.nullish().meta({ description: "Six-digit code from the mail." }),
      confirmation: z
        .string()
        .max(32)
        .nullish()
        .meta({ description: "Typed word, such as SİL or DELETE.", example: WORDS.en }),
    })
    .refine(({ code, confirmation }) => Boolean(code || confirmation), {
      path: ["code"],
      error: "validation.code_or_word",
    })
    .meta({ example: { code: "482913" } }),
  output: z.object({
    success,
    message,
    mode: z
      .enum(["deleted", "anonymized"])
      .meta({ description: "Result: the account was deleted or anonymised." }),
    channels: z
      .object({
        cleaned: z.int().meta({ description: "Connections closed immediately.", example: 1 }),
        pending: z.int().meta({ description: "Connections still to be closed.", example: 0 }),
      })
      .meta({ description: "External connections that were closed or will be closed by jobs." }),
    certificate_id: recordUlid.meta({ description: "ID of the certificate." }),
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
    "undone at other services. Without its code the response is 404.",
  access: "public",
  record: "DeletionCertificate",
  limit: { points: 30, per: 60, by: "ip" },
  params: z.object({ id: pathUlid }),
  query: z.object({ code: certificateCode.max(64).meta({ description: "Code of the certificate." }) }),
  output: z.object({
    success,
    certificate: z
      .object({
        id: recordUlid,
        mode: z
          .enum(["deleted", "anonymized"])
          .meta({ description: "Result: the account was deleted or anonymised." }),
        created_at: createdAt,
        kept_until: expiry
          .nullable()
          .meta({ description: "End of the legal retention period; null if no records are kept." }),
        topics: z.array(TopicLine).meta({ description: "Outcome for each kind of data." }),
        outside: z
          .object({
            done: z.int().meta({ description: "Connections closed.", example: 1 }),
            pending: z.int().meta({ description: "Connections still to be closed.", example: 0 }),
            failed: z.int().meta({ description: "Connections that could not be closed.", example: 0 }),
          })
          .meta({ description: "External connections, such as Apple's, by state." }),
        fingerprint: z.string().meta({
          description: "SHA-256 over the lines above except `outside`, in hexadecimal.",
          example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
        }),
      })
      .meta({ description: "Certificate of the deletion." }),
  }),
});
