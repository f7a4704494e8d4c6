import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Compares with what the database's function says of each: the next accounts, and those of them that are to change. */
export const findOutdated = statement(
  z.strictObject({ last: z.int().nullable(), outdated: z.array(z.int()) }),
)<{ after: number; take: number }>`
  with next as materialized (
    select u as account, u.id from users u
     where u.id > ${({ after }) => after} and u.anonymised_at is null order by u.id limit ${({ take }) => take}::int)
  select max(id) as last,
         coalesce(array_agg(id order by id) filter (where (account).enrol_by is distinct from second_factor_due(account)),
                  '{}'::int[]) as outdated
    from next`;

/** Calls the function of the triggers, which locks one account after the other. */
export const keepDue = statement(z.strictObject({ kept: z.string() }))<{ ids: number[] }>`
  select keep_second_factor_due(id)::text as kept from unnest(${({ ids }) => ids}::int[]) as id`;
