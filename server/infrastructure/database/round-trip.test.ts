import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { makeUser } from "@/server/demo/factories";
import { countDatabaseWrites } from "@/server/testing/count-writes";
import { createTestDatabase } from "@/server/testing/database";
import { closeDatabase, pool, prisma } from "./client";
import { statement } from "./statement";
import { inOneRoundTrip } from "./transaction";

beforeAll(async () => void (await createTestDatabase()));
afterAll(closeDatabase);

const Name = z.strictObject({ name: z.string() });
const lockUser = statement(z.strictObject({ id: z.int() }))<{ id: number }>`
  select id from users where id = ${({ id }) => id} for update`;
const renameUser = statement(Name)<{ id: number; name: string }>`
  update users set name = ${({ name }) => name} where id = ${({ id }) => id} returning name`;
const touchUser = statement(z.never())<{
  id: number;
}>`update users set name = name where id = ${({ id }) => id}`;
const divideTen = statement(z.strictObject({ n: z.int() }))<{
  by: number;
}>`select 10 / ${({ by }) => by}::int as n`;
const spendCredit = statement(z.strictObject({ credits: z.int() }))<{ id: number }>`
  with left_over as (select credits from users where id = ${({ id }) => id} and credits > 0)
  update users set credits = left_over.credits - 1 from left_over where id = ${({ id }) => id}
  returning users.credits`;

const readName = async (id: number) => (await prisma().user.findUniqueOrThrow({ where: { id } })).name;

it("returns the rows of each statement on every run", async () => {
  const { id } = await makeUser();
  for (const name of ["Ayşe", "Ömer", "Işıl"]) {
    const rows = await inOneRoundTrip(
      lockUser.bindParams({ id }),
      renameUser.bindParams({ id, name }),
      touchUser.bindParams({ id }),
      renameUser.bindParams({ id: -1, name }),
      divideTen.bindParams({ by: 5 }),
    );
    expect(rows).toEqual([[{ id }], [{ name }], [], [], [{ n: 2 }]]);
  }
});

it("rolls back when a statement fails, and returns healthy connections to the pool", async () => {
  const { id } = await makeUser({ name: "Before" });
  const circular: { self?: object } = {};
  circular.self = circular;
  for (let time = 0; time < 30; time++) {
    const roundTrip = inOneRoundTrip(
      renameUser.bindParams({ id, name: "After" }),
      divideTen.bindParams({ by: 0 }),
      touchUser.bindParams({ id }),
    );
    await expect(roundTrip).rejects.toMatchObject({ code: "22012" });
    const failedRoundTrip = inOneRoundTrip(
      renameUser.bindParams({ id, name: "After" }),
      divideTen.bindParams({ by: circular as never }),
    );
    await expect(failedRoundTrip).rejects.toThrow(/circular/);
  }
  expect(await readName(id)).toBe("Before");
  expect(await inOneRoundTrip(renameUser.bindParams({ id, name: "After" }))).toEqual([[{ name: "After" }]]);
  expect(pool().idleCount).toBe(pool().totalCount);
});

it("never overspends when 40 trips spend concurrently", async () => {
  const { id } = await makeUser({ credits: 15 });
  const trips = Array.from({ length: 40 }, () =>
    inOneRoundTrip(lockUser.bindParams({ id }), spendCredit.bindParams({ id })),
  );
  const remainingCredits = (await Promise.all(trips)).flatMap(([, rows]) =>
    rows.map(({ credits }) => credits),
  );
  expect(remainingCredits.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, index) => index));
});

it("sends begin, statements and commit in one write", async () => {
  const { id } = await makeUser({ credits: 3 });
  const spendInRoundTrip = () => inOneRoundTrip(lockUser.bindParams({ id }), spendCredit.bindParams({ id }));
  await spendInRoundTrip();
  expect(await countDatabaseWrites(spendInRoundTrip)).toBe(1);
});
