import { expect, it } from "vitest";
import { SECOND } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { findDocument, makeDocument } from "@/server/testing/invoices";
import { startProgram } from "@/server/testing/processes";
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { reserveCalls } from "./service/rate-limit";

const fakes = await startFakeServices();
await startTestServer({ env: { ...fakes.env, RATE_LIMITS: "strict" } });
const countSentCalls = () => fakes.calls.filter((call) => !call.endsWith("/oauth/token")).length;

/** Moves the first `count` recorded calls into the past and the others into the future. */
const ageCalls = (count: number) =>
  pool().query(
    `update accounting_access set called_at = array(
       select now() + case when place <= $1 then interval '-1 hour' else '1 hour' end
         from unnest(called_at) with ordinality as calls (at, place))`,
    [count],
  );

/* Ten calls in eleven seconds: CALL_LIMIT in service/rate-limit.ts. */

it("allows ten calls in eleven seconds across all processes", async () => {
  const startedAt = performance.now();
  const documents = [];
  for (let index = 0; index < 24; index++)
    documents.push(await makeDocument({ billTo: { tax_number: String(7_000_000_000 + index) } }));
  const ids = documents.map(({ id }) => id);
  const workers = await Promise.all(
    [ids.slice(0, 12), ids.slice(12)].map((documentIds) =>
      startProgram("advance-invoices", ...documentIds.map(String)),
    ),
  );
  await Promise.all(
    workers.map(
      ({ child }) =>
        new Promise<void>((resolve) => {
          if (child.exitCode !== null) resolve();
          else child.once("exit", () => resolve());
        }),
    ),
  );
  const windowCount = Math.floor((performance.now() - startedAt) / (11 * SECOND)) + 1;
  expect(countSentCalls()).toBeGreaterThanOrEqual(10);
  expect(countSentCalls()).toBeLessThanOrEqual(10 * windowCount);
  const rows = await Promise.all(ids.map(findDocument));
  expect(rows.every(({ attempts, lockedUntil }) => attempts === 0 && lockedUntil === null)).toBe(true);
  expect(rows.filter(({ state }) => state === "contact").every(({ nextAt }) => nextAt !== null)).toBe(true);
});

it("limits every window of eleven seconds, not only consecutive ones", async () => {
  await prisma().accountingAccess.updateMany({ data: { calledAt: [] } });
  const waitsMs = await Promise.all(Array.from({ length: 30 }, () => reserveCalls(1)));
  expect(waitsMs.filter((wait) => wait === 0)).toHaveLength(10);
  for (const wait of waitsMs.filter((each) => each > 0)) {
    expect(wait).toBeGreaterThanOrEqual(SECOND);
    expect(wait).toBeLessThanOrEqual(11 * SECOND);
  }
  await ageCalls(4);
  const laterWaitsMs = await Promise.all(Array.from({ length: 30 }, () => reserveCalls(1)));
  expect(laterWaitsMs.filter((wait) => wait === 0)).toHaveLength(4);
  await ageCalls(3);
  // Three calls are free: a step that needs four gets none.
  expect(await reserveCalls(4)).toBeGreaterThan(0);
  expect(await reserveCalls(3)).toBe(0);
});
