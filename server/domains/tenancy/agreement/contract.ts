import * as z from "zod";
import { operation } from "@/server/core/contract";
import { flag, ipAddress, line, message, success, timestamp } from "@/server/core/schema";

const version = z.string().meta({ example: "0" });
const locale = z.string().meta({ example: "tr" });
const hash = z.string().meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });

const Signature = z
  .object({
    version,
    locale,
    typed_name: z.string().meta({ example: "Selin Arslan" }),
    signed_at: timestamp,
    ip: ipAddress.nullable(),
    /** SHA-256 of the text that was signed. */
    text_hash: hash,
    /** The signature's place in the chain of all signatures. */
    hash,
  })
  .meta({ id: "AgreementSignature" });

const Agreement = z
  .object({
    version,
    /** Language of the text, which may be Turkish where there is no translation. */
    locale,
    /** Paragraphs, parted by empty lines. */
    body: z.string().meta({ example: "1. Subject" }),
    text_hash: hash,
    /** Null for the text that the software comes with. */
    published_at: timestamp.nullable(),
    /** Whether a signature of the caller counts now. */
    signed: z.boolean(),
    /** When and as which version; `paper` where an administrator has the signature. */
    signed_version: version.nullable(),
    signed_at: timestamp.nullable(),
    /** Whether this text waits to be signed, be it that an older signature counts until then. */
    due: z.boolean(),
    /** Until when an older signature counts. */
    due_by: timestamp.nullable(),
    /** What this text changes in the one that the caller signed; null where that text is not known. */
    changes: z
      .array(
        z.object({
          kind: z.enum(["same", "added", "removed"]).meta({ example: "added" }),
          text: z.string().meta({ example: "4. Payment" }),
        }),
      )
      .nullable(),
    /** The caller's, newest first. */
    signatures: z.array(Signature),
  })
  .meta({ id: "Agreement" });

const output = z.object({ success, agreement: Agreement });

export const getAgreement = operation({
  id: "getAgreement",
  method: "GET",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Get the reseller agreement, and the caller's signatures",
  description:
    "Open to resellers who have not signed. The text is in the language of the request where there is a translation.",
  access: "token",
  ability: "reseller:read",
  status: 200,
  output,
});

export const signAgreement = operation({
  id: "signAgreement",
  method: "POST",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Sign the reseller agreement",
  description:
    "Needs a session or a token of a sign-in, and a fresh proof of identity. `typed_name` is the name of the account, in any " +
    "case. 422 when another text was published since `version` was read. Signing a version again changes nothing.",
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account" },
  body: z.object({
    version: line({ max: 40 }).meta({ example: "0" }),
    typed_name: line({ max: 255 }).meta({ example: "Selin Arslan" }),
    accepted: flag,
  }),
  status: 201,
  output: output.extend({ message }),
  errors: ["identity_unproven"],
});
