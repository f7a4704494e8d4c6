import * as z from "zod";
import { isEmployerActive } from "@/server/domains/accounts/users/service/employer";
import { Fragment } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";

/** Row locks on a caller's account and token. */
export const lockCaller = statement(z.strictObject({ id: z.int() }))<{ userId: number; tokenId: number }>`
  select u.id from users u join access_tokens t on t.user_id = u.id
   where u.id = ${({ userId }) => userId} and u.is_active and ${new Fragment(isEmployerActive("u"))}
     and t.id = ${({ tokenId }) => tokenId} and t.expires_at > now()
     for no key update of u for key share of t`;
