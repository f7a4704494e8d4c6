import { expect, it } from "vitest";
import { SECOND } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { documentOf, makeDocument } from "@/server/testing/invoices";
import { startProgram } from "@/server/testing/processes";
import { sandboxPeer } from "@/server/testing/sandbox";
import { testServer } from "@/server/testing/server";
import { turnFor } from "./service/turn";

const peer = await sandboxPeer();
await testServer({ env: { ...peer.env, RATE_LIMITS: "strict" } });
const sent = () => peer.calls.filter((call) => !call.endsWith("/oauth/token")).length;

/** So many of the calls are long past, and the others never will be. */
const age = (count: number) =>
  pool().query(
    `update accounting_access set called_at = array(
       select now() + case when place <= $1 then interval '-1 hour' else '1 hour' end
         from unnest(called_at) with ordinality as calls (at, place))`,
    [count],
  );

it("lets ten calls through in eleven seconds, of all processes together", async () => {
  // Whoever is first fetches a token, which is not counted.
  const startedAt = performance.now();
  const documents = [];
  for (let nth = 0; nth < 24; nth++)
    documents.push(await makeDocument({ billTo: { tax_number: String(7_000_000_000 + nth) } }));
  const ids = documents.map(({ id }) => id);
  const both = await Promise.all(
    [ids.slice(0, 12), ids.slice(12)].map((each) => startProgram("advance-invoices", ...each.map(String))),
  );
  await Promise.all(
    both.map(
      ({ child }) =>
        new Promise<void>((over) => {
          if (child.exitCode !== null) over();
          else child.once("exit", () => over());
        }),
    ),
  );
  const windows = Math.floor((performance.now() - startedAt) / (11 * SECOND)) + 1;
  expect(sent()).toBeGreaterThanOrEqual(10);
  expect(sent()).toBeLessThanOrEqual(10 * windows);
  // What got no turn waits for it, and that is no failure.
  const rows = await Promise.all(ids.map(documentOf));
  expect(rows.every(({ attempts, lockedUntil }) => attempts === 0 && lockedUntil === null)).toBe(true);
  expect(rows.filter(({ state }) => state === "contact").every(({ nextAt }) => nextAt !== null)).toBe(true);
});

it("counts any eleven seconds, not one after the other", async () => {
  await prisma().accountingAccess.updateMany({ data: { calledAt: [] } });
  const asked = await Promise.all(Array.from({ length: 30 }, () => turnFor(1)));
  expect(asked.filter((wait) => wait === 0)).toHaveLength(10);
  for (const wait of asked.filter((each) => each > 0)) {
    expect(wait).toBeGreaterThanOrEqual(SECOND);
    expect(wait).toBeLessThanOrEqual(11 * SECOND);
  }
  await age(4);
  const later = await Promise.all(Array.from({ length: 30 }, () => turnFor(1)));
  expect(later.filter((wait) => wait === 0)).toHaveLength(4);
  await age(3);
  // All or none: three have passed, and a step of four waits.
  expect(await turnFor(4)).toBeGreaterThan(0);
  expect(await turnFor(3)).toBe(0);
});
