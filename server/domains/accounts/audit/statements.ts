import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

export interface NewEntry {
  actorKind: string;
  actorId: number | null;
  action: string;
  objectType: string | null;
  objectId: string | null;
  details: string | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
}

/** On every sign-in and every creation, within their transactions of statements. */
export const insertEntry = statement(z.never())<NewEntry>`
  insert into audit_events (actor_kind, actor_id, action, object_type, object_id, details, ip, user_agent, request_id)
  values (${(entry) => entry.actorKind}, ${(entry) => entry.actorId}, ${(entry) => entry.action},
          ${(entry) => entry.objectType}, ${(entry) => entry.objectId}, ${(entry) => entry.details}::jsonb,
          ${(entry) => entry.ip}, ${(entry) => entry.userAgent}, ${(entry) => entry.requestId})`;
