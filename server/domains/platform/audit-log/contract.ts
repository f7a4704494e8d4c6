import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { day, line, MAX_ID, message, queryInt, recordId, success, timestamp } from "@/server/core/schema";

/** Entries that a search counts and shows pages of. */
export const ENTRIES_MAX = 10_000;

/** Entries of one's own activity in one response. */
const ACTIVITY_MAX = 100;

/** Somebody in the log; name and address are null once the account is gone. */
const Person = z
  .object({
    id: recordId,
    name: z.string().nullable().meta({ example: "Ayşe Kaya" }),
    email: z.string().nullable().meta({ example: "ayse@example.com" }),
  })
  .meta({ id: "AuditPerson" });

const Facts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .nullable()
  .meta({ example: { name: "Ayşe Kaya" } });

const entry = {
  id: z.int().meta({ example: 4711 }),
  at: timestamp,
  /** What was done, in dots: `team.member_moved`. */
  action: z.string().meta({ example: "role.changed" }),
  /** The same in the language of the response. */
  summary: z.string().meta({ example: "Role changed" }),
  object_type: z.string().nullable().meta({ example: "User" }),
  object_id: z.string().nullable().meta({ example: "12" }),
  /** The fields that changed, as they were and as they became; of secrets only that they did. */
  before: Facts,
  after: Facts,
  ip: z.string().nullable().meta({ example: "203.0.113.7" }),
  user_agent: z.string().nullable().meta({ example: "Mozilla/5.0" }),
};

const AuditEntry = z
  .object({
    ...entry,
    /** Who did it; null for the platform itself and for people who were not signed in. */
    actor: Person.nullable(),
    /** Whose panel the actor was looking at. */
    on_behalf_of: Person.nullable(),
    /** The account, where the object is one. */
    object: Person.nullable(),
    details: Facts.meta({ example: { reason: "Ticket 4711" } }),
    request_id: z.string().nullable().meta({ example: "01JD0000000000000000000000" }),
  })
  .meta({ id: "AuditEntry" });

/** The longest network address and request id in the log, in characters. */
const MARK_MAX = 100;

const filter = listFilter({
  sorts: ["at"],
  filters: {
    /** The whole network address that entries came from. */
    ip: line({ max: MARK_MAX }).meta({ example: "203.0.113.7" }).nullish(),
    request_id: line({ max: MARK_MAX }).meta({ example: "01JD0000000000000000000000" }).nullish(),
    /** The account that somebody else was looking at. */
    on_behalf_of: queryInt({ min: 1, max: MAX_ID }).meta({ example: "12" }).nullish(),
    /** The first and the last day, as they are in Turkey. */
    from: day.meta({ example: "2026-01-01" }).nullish(),
    to: day.meta({ example: "2026-12-31" }).nullish(),
  },
});

export const listAudit = operation({
  id: "listAudit",
  method: "GET",
  path: "/api/admin/audit",
  tag: "Logs",
  summary: "List what was done",
  description:
    "`q` finds entries by a part of the action (`role.`), or the number or whole e-mail address of whoever acted or was acted " +
    `on. At most ${ENTRIES_MAX} entries are counted and shown; \`at\` is the only order, newest first. ` +
    "Of a deleted account, its number is left.",
  access: "token",
  ability: "admin:*",
  query: filter.extend(pageQuery.shape),
  status: 200,
  output: z.object({ data: z.array(AuditEntry), meta: PageMeta }),
});

export const downloadAudit = operation({
  id: "downloadAudit",
  method: "GET",
  path: "/api/admin/audit.csv",
  tag: "Logs",
  summary: "Download what was done as CSV",
  description:
    "All entries that match, in the same order. Mail addresses and telephone numbers are masked, of network addresses the end " +
    "is left out.",
  access: "token",
  ability: "admin:*",
  query: filter,
  status: 200,
  limit: { points: 20, per: 3600, by: "account" },
  file: CSV,
  output: z.never(),
});

const AuditChain = z
  .object({
    /** Until when entries are sealed; null before the first minute has passed. */
    sealed_until: timestamp.nullable(),
    /** Hash of the last seal: noted elsewhere, it shows later that nothing was cut off. */
    head: z
      .string()
      .nullable()
      .meta({ example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a0b2d4f6c8e0a1b3d5f7c9e1a2b4d6f8c" }),
    /** The last walk over all sealed entries; null before the first. */
    checked: z
      .object({
        at: timestamp,
        entries: z.int().meta({ example: 4711 }),
        /** Entries whose content went with a deleted account. */
        erased: z.int().meta({ example: 3 }),
        /** What is wrong, and the number of the entry or seal; null when nothing is. */
        broken: z
          .object({
            reason: z.enum([
              "entry_altered",
              "entry_removed",
              "entry_added",
              "seal_altered",
              "seal_removed",
              "cut_off",
              "head_removed",
              "head_forged",
              "stub_forged",
            ]),
            id: z.int().meta({ example: 4711 }),
          })
          .nullable(),
      })
      .nullable(),
  })
  .meta({ id: "AuditChain" });

export const getAuditChain = operation({
  id: "getAuditChain",
  method: "GET",
  path: "/api/admin/audit/chain",
  tag: "Logs",
  summary: "Say whether the audit log is whole",
  description: "Entries are sealed when they are a minute old, and walked every night.",
  access: "token",
  ability: "admin:*",
  status: 200,
  output: z.object({ success, chain: AuditChain }),
});

export const checkAuditChain = operation({
  id: "checkAuditChain",
  method: "POST",
  path: "/api/admin/audit/chain",
  tag: "Logs",
  summary: "Walk the audit log now",
  description: "A job does it; `GET` shows what it found.",
  access: "token",
  ability: "admin:*",
  limit: { points: 5, per: 3600, by: "account" },
  status: 200,
  output: z.object({ success, message }),
});

export const listActivity = operation({
  id: "listActivity",
  method: "GET",
  path: "/api/user/activity",
  tag: "Profile",
  summary: "List what happened to the account",
  description:
    "What the caller did, and what others did to the caller's account, newest first. `before` is the `next` of the page before. " +
    "When somebody else acted, their address and device are left out.",
  access: "token",
  withoutFactor: true,
  query: z.object({
    before: queryInt({ min: 1, max: Number.MAX_SAFE_INTEGER }).meta({ example: "4711" }).nullish(),
    limit: queryInt({ min: 1, max: ACTIVITY_MAX }).meta({ example: "50" }).nullish(),
  }),
  status: 200,
  output: z.object({
    success,
    data: z.array(
      z
        .object({
          ...entry,
          /** `nobody` was signed in, as with a failed sign-in; `platform` is a job. */
          by: z.enum(["you", "somebody_else", "nobody", "platform"]),
        })
        .meta({ id: "Activity" }),
    ),
    /** What asks for the entries that follow; null at the end. */
    next: z.int().nullable().meta({ example: 4661 }),
  }),
});
