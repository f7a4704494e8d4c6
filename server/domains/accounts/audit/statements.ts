import * as z from "zod";
import { Fragment } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";

export interface NewEntry {
  actorKind: string;
  actorId: number | null;
  onBehalfOf: number | null;
  action: string;
  objectType: string | null;
  objectId: string | null;
  details: string | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
}

/** Where an entry is written together with what it is about: a `select` of these columns follows. */
export const INTO_ENTRIES = new Fragment(
  "insert into audit_events (actor_kind, actor_id, ip, user_agent, request_id, action, object_type, object_id, details)",
);

/** On every sign-in and every creation, within their transactions of statements. */
export const insertEntry = statement(z.never())<NewEntry>`
  insert into audit_events (actor_kind, actor_id, on_behalf_of, action, object_type, object_id, details, ip, user_agent, request_id)
  values (${(entry) => entry.actorKind}, ${(entry) => entry.actorId}, ${(entry) => entry.onBehalfOf}::int, ${(entry) => entry.action},
          ${(entry) => entry.objectType}, ${(entry) => entry.objectId}, ${(entry) => entry.details}::jsonb,
          ${(entry) => entry.ip}, ${(entry) => entry.userAgent}, ${(entry) => entry.requestId})`;
