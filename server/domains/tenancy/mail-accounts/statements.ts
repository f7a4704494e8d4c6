import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

const Locked = z.strictObject({ id: z.int() });

/** Row lock: of two that save a person's account at once, one comes after the other. */
export const lockPerson = statement(Locked)<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} for no key update`;

/** Row lock: the same for the account of a site. */
export const lockSite = statement(Locked)<{ siteId: number }>`
  select id from sites where id = ${({ siteId }) => siteId} for no key update`;
