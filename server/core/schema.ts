import * as z from "zod";
import {
  hasValidHost,
  isDomain,
  normaliseDomain,
  suggestDottedSpelling,
  toAsciiHost,
} from "./email-and-domain";
import {
  normaliseCode,
  normaliseDay,
  normaliseEmail,
  normaliseLetterCode,
  normaliseLine,
  normalisePhoneInput,
  normaliseSearch,
  normaliseUrl,
} from "./normalise";

export { isPasswordOwnAddress, toAsciiHost, toEmailKey } from "./email-and-domain";

declare module "zod" {
  interface GlobalMeta {
    /** Example for OpenAPI, as sent in JSON (before parsing). */
    example?: z.$input;
    /** OpenAPI type of a value that the schema accepts as text or in several forms. */
    as?: { type: "integer" | "boolean"; minimum?: number; maximum?: number };
  }
}

/* Field schemas. Transports turn "" into null before parsing, so optional fields must be `.nullish()`. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected
const CONTROL_CHARACTER = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
const LINE_BREAK = /[\n\r\t\u2028\u2029]/;

function isWellFormedText(value: string): boolean {
  return value.isWellFormed() && !CONTROL_CHARACTER.test(value);
}

interface TextRule {
  min?: number;
  max: number;
}

export function textLine({ min = 1, max }: TextRule) {
  return lineField(normaliseLine, { min, max });
}

function lineField(normalise: (value: string) => string, rule: TextRule) {
  return textField(normalise, rule).refine((value) => !LINE_BREAK.test(value), { error: "validation.text" });
}

export const searchLine = (rule: TextRule) => lineField(normaliseSearch, rule);

/** Code of letters and digits, normalised to upper case. */
export const letterCode = (rule: TextRule) => lineField(normaliseLetterCode, rule);

/** URL of any scheme and host; contracts add their own restrictions. */
export const webAddress = ({ max }: TextRule) =>
  textLine({ max }).overwrite(normaliseUrl).refine(hasValidHost, { error: "validation.domain" });

export function textBlock(rule: TextRule) {
  return textField((value) => value.normalize("NFC"), rule);
}

function textField(normalise: (value: string) => string, { min = 1, max }: TextRule) {
  return z
    .string()
    .overwrite(normalise)
    .min(min)
    .max(max)
    .refine(isWellFormedText, { error: "validation.text" });
}

/** New password: never trimmed; normalised to NFC before hashing. */
export const password = z
  .string()
  .min(8)
  .max(1024)
  .refine((value) => value.isWellFormed() && !value.includes("\u0000"), { error: "validation.text" })
  .transform((value) => value.normalize("NFC"))
  .meta({
    description:
      "Password, 8 to 1,024 characters. A common password, one from a known data breach or the account's own email " +
      "address can be refused (422).",
    example: "a-long-passphrase",
  });

/** Host name of a mail server, in lower case and punycode. Addresses are checked on every connection. */
export const mailHost = textLine({ max: 253 })
  .transform((value, ctx) => {
    const ascii = toAsciiHost(value)?.replace(/\.$/, "");
    if (ascii && !/:\d+$/.test(ascii)) return ascii;
    ctx.issues.push({ code: "custom", message: "validation.mail_host", input: value });
    return z.NEVER;
  })
  .meta({ example: "smtp.example.com" });

/** Password for a mail server: used exactly as entered, without rules of our own. */
export const mailPassword = z
  .string()
  .max(1024)
  .refine((value) => value.isWellFormed() && !/[\0\r\n]/.test(value), { error: "validation.text" })
  .meta({ example: "an-app-password" });

/** Repeated or current password: compared, never stored. */
export const typedPassword = z.string().meta({ example: "a-long-passphrase" });

/** Arguments of `.refine` for a repeated password; compared even if other fields are invalid. */
export function samePasswords<A extends string, B extends string>(first: A, second: B) {
  type PasswordPair = Record<A | B, string>;
  const arePasswordsEqual = (input: PasswordPair) =>
    input[first].normalize("NFC") === input[second].normalize("NFC");
  const options = {
    path: [second] as PropertyKey[],
    error: "validation.confirmed",
    when: ({ value }: { value: unknown }) =>
      [first, second].every((name) => typeof (value as Partial<PasswordPair>)[name] === "string"),
  };
  return [arePasswordsEqual, options] as const;
}

/** Boolean in a body: true, false, 1, 0, "1" or "0". */
export const flag = z
  .union([z.boolean(), z.literal([0, 1, "0", "1"])], { error: "validation.boolean" })
  .transform((value) => value === true || value === 1 || value === "1")
  .meta({ as: { type: "boolean" } });

export const queryFlag = z
  .enum(["true", "false", "1", "0"], { error: "validation.boolean" })
  .transform((value) => value === "true" || value === "1")
  .meta({ as: { type: "boolean" }, example: "true" });

export const MAX_ID = 2_147_483_647;

/** Record id in a path. Invalid values match no record and get 404. */
const pathId = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((value) => value <= MAX_ID)
  .meta({
    description: "ID of the record.",
    example: "7",
    as: { type: "integer", minimum: 1, maximum: MAX_ID },
  });

/** Options of an operation with `{id}` in its path; `record` names the record in the 404. */
export const byId = (record: string) => ({ record, params: z.object({ id: pathId }) });

export const pathUlid = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: "ID of the record, a ULID.", example: "01KB3M5Q7R9T2V4W6X8Y0Z1A3C" });

export const recordUlid = z
  .string()
  .meta({ description: "ID of the record, a ULID.", example: "01KB3M5Q7R9T2V4W6X8Y0Z1A3C" });

export function queryInt({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d{1,10}$/, { error: "validation.integer" })
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ as: { type: "integer", minimum: min, maximum: max } });
}

export const queryId = queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" });

export const personName = textLine({ max: 255 }).meta({ example: "Ayşe Kaya" });

/** One-time code: six digits of any script; spaces and dashes are removed. */
export const sixDigits = z
  .string()
  .max(64)
  .overwrite(normaliseCode)
  .regex(/^\d{6}$/, { error: "validation.six_digits" })
  .meta({ description: "Six-digit code.", example: "482913" });

export const id = z.int().min(1).max(MAX_ID).meta({ description: "ID of the record.", example: 7 });

export const recordId = z.int().meta({ description: "ID of the record.", example: 7 });

export const count = z.int().meta({ description: "Number of records in this response.", example: 1 });

/** ISO 8601 in UTC with microseconds (docs/contract.md 2). */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  .meta({ example: "2027-11-20T09:30:00.000000Z", format: "date-time" });

export const createdAt = timestamp.meta({ description: "When the record was created." });

export const updatedAt = timestamp.meta({ description: "When the record was last changed." });

export const expiry = timestamp.meta({
  description: "When it expires.",
  example: "2027-12-20T09:30:00.000000Z",
});

/** Colour as `#RRGGBB`; the short form `#RGB` is expanded. */
export const hexColor = z
  .string()
  .regex(/^#([0-9a-fA-F]{3}){1,2}$/, { error: "validation.color" })
  .transform((value) => (value.length === 4 ? value.replace(/[^#]/g, "$&$&") : value))
  .meta({ example: "#4F46E5" });

/** Turns an empty list into an empty map: PHP encodes both as `[]`. */
export function emptyListToMap(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}

export function mapSchema<T extends z.ZodType>(schema: T): T {
  // `preprocess` would lose the input type.
  return z.preprocess(emptyListToMap, schema) as unknown as T;
}

/** Phone number in any format; docs/contract.md 2.1 only recommends E.164. */
export const phone = z
  .string()
  .overwrite(normalisePhoneInput)
  .min(5)
  .max(32)
  .regex(/^(?=.*\d)[\d +().-]*$/, { error: "validation.phone" })
  .meta({ description: "Phone number, preferably in E.164 format.", example: "+905321234567" });

export const maskedEmail = z
  .string()
  .meta({ description: "Email address, masked.", example: "a***e@e***.com" });

export const ipAddress = z.string().meta({ description: "IPv4 or IPv6 address.", example: "203.0.113.7" });

export const timezone = z.string().max(64).meta({ example: "Europe/Istanbul" });

export const success = z.literal(true).meta({ description: "Always true: the call succeeded." });

export const message = z
  .string()
  .meta({ description: "Result in the caller's language, suitable for display.", example: "Done." });

export const Done = z
  .object({ success, message })
  .meta({ id: "Done", description: "Result of a change that returns no data." });

// Non-ASCII characters must be letters, marks or digits: invisible ones would allow look-alike addresses.
const EMAIL_PATTERN =
  /^(?:[!#-'*+\-./0-9=?A-Z^_`a-z{|}~]|(?=[^\0-\x7F])[\p{L}\p{M}\p{Nd}]){1,64}@[^@]{1,255}$/u;
const IGNORABLE_CHARACTER = /\p{Default_Ignorable_Code_Point}/u;

/** Email address in NFKC, so that a look-alike `＠` cannot split it differently later. */
export const email = z
  .string()
  .max(255)
  .overwrite(normaliseEmail)
  .superRefine((value, ctx) => {
    // Not aborting: checks of the whole object, such as for repeated passwords, must still run.
    if (!isEmailAddress(value)) return ctx.addIssue({ code: "custom", message: "validation.email" });
    const suggestion = suggestDottedSpelling(value);
    if (suggestion)
      ctx.addIssue({ code: "custom", message: "validation.email_dotless_i", params: { suggestion } });
  })
  .meta({ description: "Email address.", example: "ayse@example.com" });

function isEmailAddress(value: string): boolean {
  if (
    !isWellFormedText(value) ||
    !EMAIL_PATTERN.test(value) ||
    IGNORABLE_CHARACTER.test(value) ||
    /^\.|\.\.|\.@/.test(value)
  )
    return false;
  return isDomain(value.slice(value.indexOf("@") + 1));
}

/** Domain of a site in its unique form: no scheme, port or path; lower case, punycode, `www.` kept. */
export const domainName = z
  .string()
  .max(300)
  .transform((value, ctx) => {
    const domain = normaliseDomain(value);
    if (domain) return domain;
    ctx.issues.push({ code: "custom", message: "validation.domain", input: value });
    return z.NEVER;
  })
  .meta({ description: "Domain name, without scheme, port or path.", example: "example.com" });

export const SiteLine = z
  .object({
    id: recordId,
    name: z.string().meta({ description: "Name of the site.", example: "Kaya Kahve" }),
    domain: z
      .string()
      .meta({ description: "Domain of the site, without scheme or path.", example: "example.com" }),
    is_active: z.boolean().meta({ description: "True when the site is active." }),
  })
  .meta({ id: "SiteLine", description: "Summary of a site." });

export const day = z
  .string()
  .max(64)
  .overwrite(normaliseDay)
  .regex(/^\d{4}-\d\d-\d\d$/, { error: "validation.day" })
  .refine((value) => new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value), { error: "validation.day" })
  .meta({ description: "Date as `YYYY-MM-DD`.", example: "2027-11-20", format: "date" });
