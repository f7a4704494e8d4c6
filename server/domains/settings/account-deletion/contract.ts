import * as z from "zod";
import { operation } from "@/server/core/contract";
import type { Topic } from "@/server/core/domain";
import * as f from "@/server/core/field";
import { createdAt, expiry, maskedEmail, pathUlid, recordUlid, sixDigits } from "@/server/core/schema";

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

const TopicLine = f.named("DeletionTopic", "Outcome for one kind of data.", {
  topic: f.text("Key of the text under `deletion.topics` in the dictionary.", "sites") as z.ZodType<Topic>,
  rule: f.oneOf(["delete", "anonymise", "detach", "keep"], "Outcome for the records.", "anonymise"),
  count: z.int().min(0).meta({ description: "Number of records.", example: 2 }),
});
export type TopicCount = z.infer<typeof TopicLine>;

const Forecast = z.object({
  mode: f.oneOf(
    ["delete", "anonymize"],
    "Forecast: the account would be deleted or anonymised.",
    "anonymize",
  ),
  reasons: f.list(Reason, "Reasons to anonymise the account instead of deleting it."),
  summary: z
    .object({
      sites: f.integer("Number of sites.", 2),
      connections: f.integer("Number of connections.", 0),
      invoices: f.integer("Number of invoices.", 3),
      agents: f.integer("Number of agents.", 1),
    })
    .meta({ description: "Numbers of records." }),
});
export type Forecast = z.infer<typeof Forecast>;

const TEXT =
  "An account without financial records or sites is deleted; otherwise it is anonymised, and records required by law are kept.";

const DELETION = { tag: "Account deletion", access: "token", ability: "*" } as const;

export const getDeletionForecast = operation({
  id: "getDeletionForecast",
  method: "GET",
  path: "/api/user/deletion",
  ...DELETION,
  summary: "Forecast what deleting the account would do",
  description: `${TEXT} Changes nothing and sends no mail.`,
  viewAs: false,
  output: f.success({
    ...Forecast.shape,
    masked_email: maskedEmail.meta({ description: "E-mail address the code is sent to, masked." }),
    topics: f.list(TopicLine, "Outcome for each kind of data."),
    kept_until: f.nullable(expiry, "End of the legal retention period; null if no records are kept."),
    word_accepted: f.boolean(
      "True when typing the confirmation word is enough instead of a code, with this token.",
    ),
    words: f.list(z.string(), "Words that confirm the deletion, one per language.", [
      WORDS.tr,
      LONG_WORD,
      WORDS.en,
    ]),
  }),
});

export const requestDeletion = operation({
  id: "requestDeletion",
  method: "POST",
  path: "/api/auth/account/delete-request",
  ...DELETION,
  summary: "Request the code that deletes the account",
  description: `Mails a six-digit code, valid for 15 minutes; a new code replaces the previous one. ${TEXT}`,
  limit: { points: 3, per: 3600, by: "account", durable: true },
  output: f.changed({
    masked_email: maskedEmail.meta({ description: "E-mail address the code was sent to, masked." }),
    expires_in: f.integer("Seconds until the code expires.", CODE_MINUTES * 60),
    ...Forecast.shape,
  }),
});

const certificateCode = f.text(
  "Code that opens the certificate together with its ID; mailed, too, and never shown again.",
  "Q4WX-9KTP-2MVB",
);

export const confirmDeletion = operation({
  id: "confirmDeletion",
  method: "POST",
  path: "/api/auth/account/confirm-delete",
  ...DELETION,
  summary: "Delete the account",
  description:
    "Takes the mailed code, or the typed word within 60 minutes of the sign-in. Five wrong codes invalidate the code. " +
    "Afterwards nothing of the account works, including this token.",
  body: z
    .object({
      code: f.nullish(sixDigits, "Six-digit code from the mail."),
      confirmation: f.nullish(z.string().max(32), "Typed word, such as SİL or DELETE.", WORDS.en),
    })
    .refine(({ code, confirmation }) => Boolean(code || confirmation), {
      path: ["code"],
      error: "validation.code_or_word",
    })
    .meta({ example: { code: "482913" } }),
  output: f.changed({
    mode: f.oneOf(["deleted", "anonymized"], "Result: the account was deleted or anonymised."),
    channels: z
      .object({
        cleaned: f.integer("Connections closed immediately.", 1),
        pending: f.integer("Connections still to be closed.", 0),
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
  output: f.success({
    certificate: z
      .object({
        id: recordUlid,
        mode: f.oneOf(["deleted", "anonymized"], "Result: the account was deleted or anonymised."),
        created_at: createdAt,
        kept_until: f.nullable(expiry, "End of the legal retention period; null if no records are kept."),
        topics: f.list(TopicLine, "Outcome for each kind of data."),
        outside: z
          .object({
            done: f.integer("Connections closed.", 1),
            pending: f.integer("Connections still to be closed.", 0),
            failed: f.integer("Connections that could not be closed.", 0),
          })
          .meta({ description: "External connections, such as Apple's, by state." }),
        fingerprint: f.text(
          "SHA-256 over the lines above except `outside`, in hexadecimal.",
          "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
        ),
      })
      .meta({ description: "Certificate of the deletion." }),
  }),
});
