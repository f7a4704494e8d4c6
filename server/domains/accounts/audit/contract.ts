import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { day, line, MAX_ID, message, queryInt, recordId, success, timestamp } from "@/server/core/schema";

/** Results of a failed check: `entry_…` is about the entry with the id, everything else about the seal with it. */
const AUDIT_BREAKS = [
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
export type AuditBreak = (typeof AUDIT_BREAKS)[number];

/** Entries that a search counts and shows pages of. */
export const ENTRIES_MAX = 10_000;

/** Entries of one's own activity in one response. */
const ACTIVITY_MAX = 100;

const Person = z
  .object({
    id: recordId,
    name: z
      .string()
      .nullable()
      .meta({ description: "Name of the person; null once the account is deleted.", example: "Ayşe Kaya" }),
    email: z.string().nullable().meta({
      description: "E-mail address; null once the account is deleted.",
      example: "ayse@example.com",
    }),
  })
  .meta({
    id: "AuditPerson",
    description: "A person in the audit log; name and address are null once the account is deleted.",
  });

const Facts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .nullable()
  .meta({ example: { name: "Ayşe Kaya" } });

const entry = {
  id: z.int().meta({ description: "ID of the entry.", example: 4711 }),
  at: timestamp.meta({ description: "When it happened." }),
  action: z.string().meta({ description: "Action, such as `team.member_moved`.", example: "role.changed" }),
  summary: z
    .string()
    .meta({ description: "Description of the action in the caller's language.", example: "Role changed" }),
  object_type: z
    .string()
    .nullable()
    .meta({ description: "Type of the affected record; null if none.", example: "User" }),
  object_id: z
    .string()
    .nullable()
    .meta({ description: "ID of the affected record; null if none.", example: "12" }),
  before: Facts.meta({ description: "Changed fields before the change; secrets are not shown." }),
  after: Facts.meta({ description: "Changed fields after the change; secrets are not shown." }),
  ip: z
    .string()
    .nullable()
    .meta({ description: "IP address of the client; null if unknown.", example: "203.0.113.7" }),
  user_agent: z
    .string()
    .nullable()
    .meta({ description: "`User-Agent` header of the client; null if unknown.", example: "Mozilla/5.0" }),
};

const AuditEntry = z
  .object({
    ...entry,
    actor: Person.nullable().meta({
      description: "Account that acted; null for the platform itself and for callers who were not signed in.",
    }),
    on_behalf_of: Person.nullable().meta({
      description: "Account whose panel the actor was viewing; null if none.",
    }),
    object: Person.nullable().meta({
      description: "The affected account; null if the record is not an account.",
    }),
    details: Facts.meta({
      description: "Further facts, by name; null if none.",
      example: { reason: "Ticket 4711" },
    }),
    request_id: z.string().nullable().meta({
      description: "Request ID (`X-Request-Id`); null if none.",
      example: "01JD0000000000000000000000",
    }),
  })
  .meta({ id: "AuditEntry", description: "An entry of the audit log." });

/** The longest network address and request id in the log, in characters. */
const MARK_MAX = 100;

const filter = listFilter({
  sorts: ["at"],
  filters: {
    ip: line({ max: MARK_MAX })
      .nullish()
      .meta({ description: "Only entries from this IP address.", example: "203.0.113.7" }),
    request_id: line({ max: MARK_MAX })
      .nullish()
      .meta({ description: "Only entries of this request ID.", example: "01JD0000000000000000000000" }),
    on_behalf_of: queryInt({ min: 1, max: MAX_ID })
      .meta({ example: "12" })
      .nullish()
      .meta({ description: "Only entries made while viewing this account." }),
    from: day.nullish().meta({ description: "First day, in Turkey.", example: "2026-01-01" }),
    to: day.nullish().meta({ description: "Last day, in Turkey.", example: "2026-12-31" }),
  },
});

export const listAudit = operation({
  id: "listAudit",
  method: "GET",
  path: "/api/admin/audit",
  tag: "Logs",
  summary: "List the entries of the audit log",
  description: `\`q\` is a part of the action (\`role.\`), or the ID or whole e-mail address of an actor or affected account. At most ${ENTRIES_MAX} entries are counted and shown. The order is always \`at\`, newest first. For a deleted account, only its ID remains.`,
  access: "token",
  ability: "admin:*",
  query: filter.extend(pageQuery.shape),
  output: z.object({
    data: z.array(AuditEntry).meta({ description: "Entries on this page, newest first." }),
    meta: PageMeta,
  }),
});

export const downloadAudit = operation({
  id: "downloadAudit",
  method: "GET",
  path: "/api/admin/audit.csv",
  tag: "Logs",
  summary: "Download the audit log as a CSV file",
  description:
    "All matching entries in the same order. E-mail addresses, phone numbers and IP addresses are masked.",
  access: "token",
  ability: "admin:*",
  query: filter,
  ...CSV_DOWNLOAD,
  limit: { points: 20, per: 3600, by: "account" },
});

const AuditChain = z
  .object({
    sealed_until: timestamp
      .nullable()
      .meta({ description: "Entries up to this time are sealed; null before the first minute has passed." }),
    head: z.string().nullable().meta({
      description: "Hash of the latest seal; noted elsewhere, it proves later that nothing was cut off.",
      example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c",
    }),
    checked: z
      .object({
        at: timestamp.meta({ description: "When the verification was made." }),
        entries: z.int().meta({ description: "Number of entries checked.", example: 4711 }),
        erased: z.int().meta({
          description: "Number of entries whose content was erased with a deleted account.",
          example: 3,
        }),
        broken: z
          .object({
            reason: z.enum(AUDIT_BREAKS).meta({ description: "Kind of problem." }),
            id: z.int().meta({ description: "ID of the affected entry or seal.", example: 4711 }),
          })
          .nullable()
          .meta({ description: "First problem found; null if none." }),
      })
      .nullable()
      .meta({ description: "Result of the latest verification; null before the first." }),
  })
  .meta({ id: "AuditChain", description: "Seal of the audit log and its latest verification." });

export const getAuditChain = operation({
  id: "getAuditChain",
  method: "GET",
  path: "/api/admin/audit/chain",
  tag: "Logs",
  summary: "Get the state of the audit log's seal",
  description: "Entries are sealed when they are a minute old, and verified every night.",
  access: "token",
  ability: "admin:*",
  output: z.object({ success, chain: AuditChain }),
});

export const checkAuditChain = operation({
  id: "checkAuditChain",
  method: "POST",
  path: "/api/admin/audit/chain",
  tag: "Logs",
  summary: "Verify the audit log",
  description: "Queues a job; `GET` shows the result.",
  access: "token",
  ability: "admin:*",
  limit: { points: 5, per: 3600, by: "account" },
  output: z.object({ success, message }),
});

export const listActivity = operation({
  id: "listActivity",
  method: "GET",
  path: "/api/user/activity",
  tag: "Profile",
  summary: "List the activity of the account",
  description:
    "What the caller did and what others did to the caller's account, newest first. Pass `next` of the last page as " +
    "`before`. When another person acted, their address and device are left out.",
  access: "token",
  withoutFactor: true,
  query: z.object({
    before: queryInt({ min: 1, max: Number.MAX_SAFE_INTEGER })
      .meta({ example: "4711" })
      .nullish()
      .meta({ description: "`next` of the previous page." }),
    limit: queryInt({ min: 1, max: ACTIVITY_MAX })
      .meta({ example: "50" })
      .nullish()
      .meta({ description: "Maximum number of results." }),
  }),
  output: z.object({
    success,
    data: z
      .array(
        z
          .object({
            ...entry,
            by: z.enum(["you", "somebody_else", "nobody", "platform"]).meta({
              description:
                "Actor. `nobody`: a caller who was not signed in, such as a failed sign-in. `platform`: a job.",
            }),
          })
          .meta({ id: "Activity", description: "An entry of the account's activity." }),
      )
      .meta({ description: "Activity, newest first." }),
    next: z
      .int()
      .nullable()
      .meta({ description: "Value of `before` for the next page; null at the end.", example: 4661 }),
  }),
});
