import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { recordId, timestamp } from "@/server/core/schema";

/** Entries that a search counts and shows pages of. */
export const ENTRIES_MAX = 10_000;

/** Somebody in the log; name and address are null once the account is gone. */
const Person = z
  .object({
    id: recordId,
    name: z.string().nullable().meta({ example: "Ayşe Kaya" }),
    email: z.string().nullable().meta({ example: "ayse@example.com" }),
  })
  .meta({ id: "AuditPerson" });

const AuditEntry = z
  .object({
    id: z.int().meta({ example: 4711 }),
    at: timestamp,
    /** What was done, in dots: `team.member_moved`. */
    action: z.string().meta({ example: "role.changed" }),
    /** Who did it; null for the platform itself and for people who were not signed in. */
    actor: Person.nullable(),
    /** Whose panel the actor was looking at. */
    on_behalf_of: Person.nullable(),
    object_type: z.string().nullable().meta({ example: "User" }),
    object_id: z.string().nullable().meta({ example: "12" }),
    /** The account, where the object is one. */
    object: Person.nullable(),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .nullable()
      .meta({ example: { before: "user", after: "reseller" } }),
    ip: z.string().nullable().meta({ example: "203.0.113.7" }),
    user_agent: z.string().nullable().meta({ example: "Mozilla/5.0" }),
    request_id: z.string().nullable().meta({ example: "01JD0000000000000000000000" }),
  })
  .meta({ id: "AuditEntry" });

export const listAudit = operation({
  id: "listAudit",
  method: "GET",
  path: "/api/admin/audit",
  tag: "Administration",
  summary: "List what was done",
  description:
    "`q` finds entries by a part of the action (`role.`), or the number or the whole e-mail address of an account that acted or was " +
    `acted on. At most ${ENTRIES_MAX} entries are counted and shown; \`at\` is the only order, newest first ` +
    "unless told otherwise. Of an account that was deleted, its number is left.",
  access: "token",
  ability: "admin:*",
  query: listFilter({ sorts: ["at"], filters: {} }).extend(pageQuery.shape),
  status: 200,
  output: z.object({ data: z.array(AuditEntry), meta: PageMeta }),
});
