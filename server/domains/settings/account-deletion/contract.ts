import * as z from "zod";
import { operation } from "@/server/core/contract";
import type { PersonalDataTopic } from "@/server/core/domain";
import * as f from "@/server/core/field";
import { createdAt, expiry, maskedEmail, pathUlid, recordUlid, sixDigits } from "@/server/core/schema";

export const DELETION_CODE_VALID_MINUTES = 15;
export const DELETION_CODE_ATTEMPTS_MAX = 5;
/** Minutes after the sign-in in which the typed word is enough. */
export const DELETION_WORD_VALID_MINUTES = 60;

/** Accepted instead of the code, in any case and with any Turkish I. */
export const DELETION_WORDS = {
  tr: "SİL",
  en: "DELETE",
  ru: "УДАЛИТЬ",
  de: "LÖSCHEN",
  ar: "حذف",
  fr: "SUPPRIMER",
  it: "ELIMINA",
} as const;
export const LONG_DELETION_WORD = "HESABIMI SİL";

export const Reason = z.enum(["sites", "subscriptions", "licences", "payments", "credits", "agreement"]);
export type Reason = z.infer<typeof Reason>;

const TopicOutcome = f.namedObject("DeletionTopic", "Outcome for one kind of data.", {
  topic: f.text(
    "Key of the topic's name: `deletion.topics.<topic>` in `GET /api/i18n/{locale}.json`.",
    "sites",
  ) as z.ZodType<PersonalDataTopic>,
  rule: f.oneOf(
    ["delete", "anonymise", "detach", "keep"],
    "Outcome for the records. `delete`: deleted. `anonymise`: kept without personal data. `detach`: kept without the link " +
      "to the account. `keep`: kept until the end of the legal retention period.",
    "anonymise",
  ),
  count: z.int().min(0).meta({ description: "Number of records.", example: 2 }),
});
export type DeletionTopic = z.infer<typeof TopicOutcome>;

const Forecast = z.object({
  mode: f.oneOf(
    ["delete", "anonymize"],
    "`delete`: the account would be deleted completely. `anonymize`: it would be anonymised.",
    "anonymize",
  ),
  reasons: f.list(
    Reason,
    "Records that prevent a complete deletion; empty if none. `sites`: the account owns or once created a site. " +
      "`subscriptions`, `licences`, `payments`: it has at least one. `credits`: it has credits other than the welcome credits and " +
      "their use. `agreement`: it has signed the reseller agreement.",
    ["sites", "payments"],
  ),
  summary: z
    .object({
      sites: f.integer("Number of sites.", 2),
      connections: f.integer("Number of connections.", 0),
      invoices: f.integer("Number of invoices, which are kept but no longer accessible.", 3),
      agents: f.integer("Number of agents, who are deactivated.", 1),
    })
    .meta({ description: "Main consequences." }),
});
export type Forecast = z.infer<typeof Forecast>;

const OUTCOME_DESCRIPTION =
  "An account without financial records and sites is deleted completely. Any other account is anonymised, and records " +
  "required by law are kept.";

const DELETION_OPERATION = { tag: "Account deletion", access: "token", ability: "*" } as const;

export const getDeletionForecast = operation({
  id: "getDeletionForecast",
  method: "GET",
  path: "/api/user/deletion",
  ...DELETION_OPERATION,
  summary: "Forecast what deleting the account would do",
  description: `${OUTCOME_DESCRIPTION} Changes nothing and sends no email.`,
  viewAs: false,
  output: f.success({
    ...Forecast.shape,
    masked_email: maskedEmail.meta({ description: "Email address the code is sent to, masked." }),
    topics: f.list(TopicOutcome, "Outcome for each kind of data."),
    kept_until: f.nullable(
      expiry,
      "End of the legal retention period; null if no records are kept.",
      "2037-12-31T20:59:59.999000Z",
    ),
    word_accepted: f.boolean(
      "True if this token can delete the account with a typed word instead of a code: it is from a sign-in in the last hour.",
    ),
    words: f.list(z.string(), "Accepted words: in the caller's language, in Turkish and in English.", [
      DELETION_WORDS.tr,
      LONG_DELETION_WORD,
      DELETION_WORDS.en,
    ]),
  }),
});

export const requestDeletion = operation({
  id: "requestDeletion",
  method: "POST",
  path: "/api/auth/account/delete-request",
  ...DELETION_OPERATION,
  summary: "Request the code that deletes the account",
  description: `Emails a six-digit code, valid for ${DELETION_CODE_VALID_MINUTES} minutes; a new code replaces the previous one. ${OUTCOME_DESCRIPTION}`,
  limit: { points: 3, per: 3600, by: "account", durable: true },
  output: f.changeOutput({
    masked_email: maskedEmail.meta({ description: "Email address the code was sent to, masked." }),
    expires_in: f.integer("Seconds until the code expires.", DELETION_CODE_VALID_MINUTES * 60),
    ...Forecast.shape,
  }),
});

const certificateCode = f.text(
  "Code that opens the certificate, together with its ID. It is also emailed, and never shown again.",
  "kT3vQ9xW2mZpL7aB4cDe",
);

export const confirmDeletion = operation({
  id: "confirmDeletion",
  method: "POST",
  path: "/api/auth/account/confirm-delete",
  ...DELETION_OPERATION,
  summary: "Delete the account",
  description:
    "Needs the emailed code, or a typed word within 60 minutes after the sign-in; after that, the word fails with " +
    "`deletion_needs_code`. Five wrong attempts invalidate the code. The deletion takes effect immediately and cannot be " +
    "undone. All tokens stop working, including the caller's. The last administrator cannot be deleted " +
    "(`last_administrator`).",
  body: z
    .object({
      code: f.nullish(sixDigits, "Six-digit code from the email. Takes precedence over `confirmation`."),
      confirmation: f.nullish(
        z.string().max(32),
        "Typed word, such as SİL or DELETE, in upper or lower case.",
        DELETION_WORDS.en,
      ),
    })
    .refine(({ code, confirmation }) => Boolean(code || confirmation), {
      path: ["code"],
      error: "validation.code_or_word",
    })
    .meta({ example: { code: "482913" } }),
  output: f.changeOutput({
    mode: f.oneOf(["deleted", "anonymized"], "Result: the account was deleted or anonymised."),
    channels: z
      .object({
        cleaned: f.integer("Connections closed immediately; always 0, because jobs close them.", 0),
        pending: f.integer("Connections that jobs will close.", 1),
      })
      .meta({ description: "Connections to external services." }),
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
    "The certificate identifies no person. It states which data was erased, which data is kept and until " +
    "when, and how many connections to external services were closed, are still to be closed or could not " +
    "be closed. A wrong code returns 404.",
  access: "public",
  record: "DeletionCertificate",
  limit: { points: 30, per: 60, by: "ip" },
  params: z.object({ id: pathUlid }),
  query: z.object({ code: certificateCode.max(64).meta({ description: "Code of the certificate." }) }),
  output: f.success({
    certificate: z
      .object({
        id: recordUlid,
        mode: f.oneOf(
          ["deleted", "anonymized"],
          "Result: the account was deleted or anonymised.",
          "anonymized",
        ),
        created_at: createdAt,
        kept_until: f.nullable(
          expiry,
          "End of the legal retention period; null if no records are kept.",
          "2037-12-31T20:59:59.999000Z",
        ),
        topics: f.list(TopicOutcome, "Outcome for each kind of data."),
        outside: z
          .object({
            done: f.integer("Connections closed.", 1),
            pending: f.integer("Connections still to be closed.", 0),
            failed: f.integer("Connections that could not be closed.", 0),
          })
          .meta({ description: "Number of connections to external services, such as Apple, by state." }),
        fingerprint: f.text(
          "SHA-256 (hex) of the JSON of `id`, `mode`, `created_at`, `kept_until` and `topics`, in this order " +
            "without spaces, the keys inside `topics` in the order of this response.",
          "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
        ),
      })
      .meta({ description: "Certificate of the deletion." }),
  }),
});
