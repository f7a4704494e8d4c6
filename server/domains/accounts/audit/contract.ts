import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { day, MAX_ID, queryInt, recordId, textLine, timestamp } from "@/server/core/schema";

const AUDIT_BREAK_REASONS = [
  "entry_altered",
  "entry_removed",
  "entry_added",
  "seal_altered",
  "seal_removed",
  "cut_off",
  "head_removed",
  "head_forged",
  "stub_forged",
] as const;
export type AuditBreakReason = (typeof AUDIT_BREAK_REASONS)[number];

export const MAX_LISTED_ENTRIES = 10_000;

const MAX_ACTIVITY_LIMIT = 100;

const Person = f.namedObject(
  "AuditPerson",
  "An account in the audit log. Name and email address are null once the account is deleted.",
  {
    id: recordId,
    name: f.nullable(z.string(), "Name; null once the account is deleted.", "Ayşe Kaya"),
    email: f.nullable(z.string(), "Email address; null once the account is deleted.", "ayse@example.com"),
  },
);

const Facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable();

const entryFields = {
  id: f.integer("ID of the entry.", 4711),
  at: timestamp.meta({ description: "When the action happened." }),
  action: f.text("Action, such as `role.changed`.", "profile.changed"),
  summary: f.text("Description of the action in the caller's language.", "Profile changed"),
  object_type: f.nullable(z.string(), "Type of the affected record, such as `User`; null if none.", "User"),
  object_id: f.nullable(z.string(), "ID of the affected record; null if none.", "7"),
  before: Facts.meta({
    description: "Changed fields and their old values; null if none. A secret is shown as `changed`.",
    example: { name: "Ayse Kaya" },
  }),
  after: Facts.meta({
    description: "Changed fields and their new values; null if none. A secret is shown as `changed`.",
    example: { name: "Ayşe Kaya" },
  }),
  ip: f.nullable(z.string(), "IP address of the client; null if unknown.", "203.0.113.7"),
  user_agent: f.nullable(z.string(), "`User-Agent` header of the client; null if unknown.", "Mozilla/5.0"),
};

const AuditEntry = f.namedObject("AuditEntry", "An entry of the audit log.", {
  ...entryFields,
  actor: f.nullable(
    Person,
    "Account that acted; null for the platform and for callers who were not signed in.",
  ),
  on_behalf_of: f.nullable(Person, "Account that the actor was impersonating; null if none.", null),
  object: f.nullable(Person, "Affected account; null if the record is not an account."),
  details: Facts.meta({
    description: "Further facts by name; null if none.",
    example: { fields: "name" },
  }),
  request_id: f.nullable(
    z.string(),
    "Request ID (`X-Request-Id`); null if none.",
    "3f2b8c1e-5d4a-4f6b-9c7e-1a2b3c4d5e6f",
  ),
});

const MAX_IDENTIFIER_LENGTH = 100;

const auditFilter = listFilter({
  sorts: ["at"],
  filters: {
    ip: f.nullish(
      textLine({ max: MAX_IDENTIFIER_LENGTH }),
      "Only entries from this IP address.",
      "203.0.113.7",
    ),
    request_id: f.nullish(
      textLine({ max: MAX_IDENTIFIER_LENGTH }),
      "Only entries of this request ID.",
      "3f2b8c1e-5d4a-4f6b-9c7e-1a2b3c4d5e6f",
    ),
    on_behalf_of: f.nullish(
      queryInt({ min: 1, max: MAX_ID }).meta({ example: "12" }),
      "Only entries made while impersonating the account with this ID.",
    ),
    from: f.nullish(day, "First day, inclusive, in the time zone of Turkey (UTC+3).", "2026-01-01"),
    to: f.nullish(day, "Last day, inclusive, in the time zone of Turkey (UTC+3).", "2026-12-31"),
  },
});

const ADMIN_ACCESS = { tag: "Logs", access: "token", ability: "admin:*" } as const;

export const listAudit = operation({
  id: "listAudit",
  method: "GET",
  path: "/api/admin/audit",
  ...ADMIN_ACCESS,
  summary: "List the entries of the audit log",
  description: `\`q\` has up to five words, and an entry must match all of them. A word matches any part of an action (\`role.\`), or the exact ID or email address of the actor or of the affected account. Pages and \`meta.total\` cover at most ${MAX_LISTED_ENTRIES} entries: narrow the search to see others. \`sort\` is \`at\` or \`-at\`; default: \`-at\`, newest first. Of a deleted account, only the ID is shown.`,
  query: auditFilter.extend(pageQuery.shape),
  output: z.object({
    data: f.list(AuditEntry, "Entries on this page."),
    meta: PageMeta,
  }),
});

export const downloadAudit = operation({
  id: "downloadAudit",
  path: "/api/admin/audit.csv",
  ...ADMIN_ACCESS,
  summary: "Download the audit log as a CSV file",
  description:
    "Contains all matching entries, with the filters and order of `listAudit`. Email addresses, phone numbers and IP addresses are masked.",
  query: auditFilter,
  ...CSV_DOWNLOAD,
  limit: { points: 20, per: 3600, by: "account" },
});

const AuditChain = f.namedObject(
  "AuditChain",
  "The latest seal of the audit log and the result of its latest verification.",
  {
    sealed_until: f.nullable(
      timestamp,
      "Time of the latest seal, which covers entries that were then at least one minute old. Null before the first seal.",
    ),
    head: f.nullable(
      z.string(),
      "Hash of the latest seal; null before the first. A copy kept outside the platform shows later whether seals were removed from the end of the log.",
      "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
    ),
    checked: f.nullable(
      z.object({
        at: timestamp.meta({ description: "When the verification ended." }),
        entries: f.integer("Number of entries checked.", 4711),
        erased: f.integer("Number of entries whose content was erased with a deleted account.", 3),
        broken: f.nullable(
          z.object({
            reason: f.oneOf(
              AUDIT_BREAK_REASONS,
              "`entry_altered`, `entry_removed`, `entry_added`: an entry was changed, removed or added after it was sealed. " +
                "`seal_altered`, `seal_removed`: a seal was changed or removed. `cut_off`: seals at the end of the log are missing. " +
                "`head_removed`, `head_forged`: the record of the latest seal is missing or not authentic. `stub_forged`: " +
                "the record of entries deleted by retention is not authentic.",
            ),
            id: f.integer(
              "For reasons that start with `entry_`: ID of the affected entry. For all others: ID of the seal.",
              4711,
            ),
          }),
          "First problem found; null if none.",
          null,
        ),
      }),
      "Result of the latest verification; null before the first.",
    ),
  },
);

export const getAuditChain = operation({
  id: "getAuditChain",
  method: "GET",
  path: "/api/admin/audit/chain",
  ...ADMIN_ACCESS,
  summary: "Get the state of the audit log's seal",
  description:
    "Entries are sealed with a hash chain when they are a minute old. All seals are verified every night.",
  output: f.success({ chain: AuditChain }),
});

export const checkAuditChain = operation({
  id: "checkAuditChain",
  method: "POST",
  path: "/api/admin/audit/chain",
  ...ADMIN_ACCESS,
  summary: "Verify the audit log",
  description:
    "Queues a job. Poll `getAuditChain` for the result: `checked.at` changes when the job has ended.",
  limit: { points: 5, per: 3600, by: "account" },
  output: f.changeOutput(),
});

export const listActivity = operation({
  id: "listActivity",
  method: "GET",
  path: "/api/user/activity",
  tag: "Profile",
  summary: "List the activity of the account",
  description:
    "Actions of the caller and actions of others on the caller's account, newest first. For the next page, " +
    "pass `next` as the query parameter `before`. The output fields `before`, `after`, `ip` and " +
    "`user_agent` are null unless `by` is `you` or `nobody`. During an impersonation, `ip` and " +
    "`user_agent` are null in all entries. Entries are kept for at least the platform's retention period, " +
    "by default two years.",
  access: "token",
  isAllowedWithoutFactor: true,
  query: z.object({
    before: f.nullish(
      queryInt({ min: 1, max: Number.MAX_SAFE_INTEGER }).meta({ example: "4711" }),
      "`next` of the previous page.",
    ),
    limit: f.nullish(
      queryInt({ min: 1, max: MAX_ACTIVITY_LIMIT }).meta({ example: "50" }),
      `Maximum number of results, up to ${MAX_ACTIVITY_LIMIT}; default: 50.`,
    ),
  }),
  output: f.success({
    data: f.list(
      f.namedObject("Activity", "An entry of the account's activity.", {
        ...entryFields,
        ip: f.nullable(z.string(), "IP address of the client; null if unknown or hidden.", "203.0.113.7"),
        user_agent: f.nullable(
          z.string(),
          "`User-Agent` header of the client; null if unknown or hidden.",
          "Mozilla/5.0",
        ),
        by: f.oneOf(
          ["you", "somebody_else", "nobody", "platform"],
          "Actor. `you`: the caller. `somebody_else`: another account, such as an administrator. `nobody`: a " +
            "person who was not signed in, for example in a failed sign-in. `platform`: a background job.",
        ),
      }),
      "Activity, newest first.",
    ),
    next: f.nullable(z.int(), "Value of `before` for the next page; null on the last page.", 4711),
  }),
});
