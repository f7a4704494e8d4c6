import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { makeUser } from "@/server/demo/factories";
import { countWrites } from "@/server/testing/count-writes";
import { testDatabase } from "@/server/testing/database";
import { closeDatabase, pool, prisma } from "./client";
import { statement } from "./statement";
import { inOneRoundTrip } from "./transaction";

beforeAll(async () => void (await testDatabase()));
afterAll(closeDatabase);

const Name = z.strictObject({ name: z.string() });
const lock = statement(z.strictObject({ id: z.int() }))<{ id: number }>`
  select id from users where id = ${({ id }) => id} for update`;
const rename = statement(Name)<{ id: number; name: string }>`
  update users set name = ${({ name }) => name} where id = ${({ id }) => id} returning name`;
const touch = statement(z.never())<{ id: number }>`update users set name = name where id = ${({ id }) => id}`;
const divide = statement(z.strictObject({ n: z.int() }))<{
  by: number;
}>`select 10 / ${({ by }) => by}::int as n`;
const spend = statement(z.strictObject({ credits: z.int() }))<{ id: number }>`
  with left_over as (select credits from users where id = ${({ id }) => id} and credits > 0)
  update users set credits = left_over.credits - 1 from left_over where id = ${({ id }) => id}
  returning users.credits`;

const nameOf = async (id: number) => (await prisma().user.findUniqueOrThrow({ where: { id } })).name;

it("returns the rows of each statement on every run", async () => {
  const { id } = await makeUser();
  for (const name of ["Ayşe", "Ömer", "Işıl"]) {
    const rows = await inOneRoundTrip(
      lock.bindParams({ id }),
      rename.bindParams({ id, name }),
      touch.bindParams({ id }),
      rename.bindParams({ id: -1, name }),
      divide.bindParams({ by: 5 }),
    );
    expect(rows).toEqual([[{ id }], [{ name }], [], [], [{ n: 2 }]]);
  }
});

it("rolls back when a statement fails, and returns healthy connections to the pool", async () => {
  const { id } = await makeUser({ name: "Before" });
  const endless: { self?: object } = {};
  endless.self = endless;
  for (let time = 0; time < 30; time++) {
    const trip = inOneRoundTrip(
      rename.bindParams({ id, name: "After" }),
      divide.bindParams({ by: 0 }),
      touch.bindParams({ id }),
    );
    await expect(trip).rejects.toMatchObject({ code: "22012" });
    const unwritable = inOneRoundTrip(
      rename.bindParams({ id, name: "After" }),
      divide.bindParams({ by: endless as never }),
    );
    await expect(unwritable).rejects.toThrow(/circular/);
  }
  expect(await nameOf(id)).toBe("Before");
  expect(await inOneRoundTrip(rename.bindParams({ id, name: "After" }))).toEqual([[{ name: "After" }]]);
  expect(pool().idleCount).toBe(pool().totalCount);
});

it("never overspends when 40 trips spend concurrently", async () => {
  const { id } = await makeUser({ credits: 15 });
  const trips = Array.from({ length: 40 }, () =>
    inOneRoundTrip(lock.bindParams({ id }), spend.bindParams({ id })),
  );
  const left = (await Promise.all(trips)).flatMap(([, rows]) => rows.map(({ credits }) => credits));
  expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, index) => index));
});

it("sends begin, statements and commit in one write", async () => {
  const { id } = await makeUser({ credits: 3 });
  const trip = () => inOneRoundTrip(lock.bindParams({ id }), spend.bindParams({ id }));
  await trip();
  expect(await countWrites(trip)).toBe(1);
});
