import * as z from "zod";
import { operation } from "@/server/core/contract";
import { flag, ipAddress, line, message, success, timestamp } from "@/server/core/schema";

const version = z.string().meta({ example: "0" });
const locale = z.string().meta({ example: "tr" });
const hash = z.string().meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });

const Signature = z
  .object({
    version: version.meta({ description: "Version of the agreement." }),
    locale: locale.meta({ description: "Language of the signed text." }),
    typed_name: z.string().meta({ description: "Name as the signer typed it.", example: "Selin Arslan" }),
    signed_at: timestamp.meta({ description: "When it was signed." }),
    ip: ipAddress.nullable().meta({ description: "IP address of the client; null if unknown." }),
    text_hash: hash.meta({ description: "SHA-256 of the signed text." }),
    hash: hash.meta({ description: "Hash that chains this signature to all earlier ones." }),
  })
  .meta({ id: "AgreementSignature", description: "A signature of the agreement." });

const Agreement = z
  .object({
    version: version.meta({ description: "Version in force." }),
    locale: locale.meta({ description: "Language of the text; Turkish where there is no translation." }),
    body: z.string().meta({
      description: "Text of the agreement; empty lines separate paragraphs.",
      example: "1. Subject",
    }),
    text_hash: hash.meta({ description: "SHA-256 of the text." }),
    published_at: timestamp
      .nullable()
      .meta({ description: "When it was published; null for the text shipped with the software." }),
    signed: z.boolean().meta({ description: "True when a valid signature of the caller exists." }),
    signed_version: version
      .nullable()
      .meta({ description: "Version the caller signed; `paper` for a signature on paper, null if none." }),
    signed_at: timestamp.nullable().meta({ description: "When the caller signed; null if not yet." }),
    due: z.boolean().meta({
      description: "True when the caller has to sign this text, now or when an older signature expires.",
    }),
    due_by: timestamp.nullable().meta({ description: "When an older signature expires; null if none does." }),
    changes: z
      .array(
        z.object({
          kind: z
            .enum(["same", "added", "removed"])
            .meta({ description: "Whether the paragraph is unchanged, added or removed.", example: "added" }),
          text: z.string().meta({ description: "Text of the paragraph.", example: "4. Payment" }),
        }),
      )
      .nullable()
      .meta({ description: "Changes since the version the caller signed; null if that text is unknown." }),
    signatures: z.array(Signature).meta({ description: "Signatures of the caller, newest first." }),
  })
  .meta({ id: "Agreement", description: "The reseller agreement and the caller's signatures." });

const output = z.object({ success, agreement: Agreement });

export const getAgreement = operation({
  id: "getAgreement",
  method: "GET",
  path: "/api/reseller/agreement",
  tag: "Resellers",
  summary: "Get the reseller agreement and the caller's signatures",
  description:
    "Open to resellers who have not signed. The text is in the language of the request where a translation exists.",
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
    "Needs a session or a token from a sign-in, and a fresh proof of identity. `typed_name` is the name of the account, " +
    "in any case. 422 if another version was published since `version` was read. Signing a version again changes nothing.",
  access: "token",
  ability: "*",
  limit: { points: 20, per: 3600, by: "account" },
  body: z.object({
    version: line({ max: 40 }).meta({ description: "Version that is signed.", example: "0" }),
    typed_name: line({ max: 255 }).meta({
      description: "Name of the account, as confirmation.",
      example: "Selin Arslan",
    }),
    accepted: flag.meta({ description: "Must be true." }),
  }),
  status: 201,
  output: output.extend({ message }),
  errors: ["identity_unproven"],
});
