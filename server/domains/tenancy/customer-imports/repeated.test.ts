import { describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";
import { importCustomersJob } from "./jobs";

const server = await startTestServer();
const { call, post } = server;

async function makeResellerToken() {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  return makeToken(id);
}

async function startImport(token: string, csv: string): Promise<number> {
  const file = buildMultipartForm([{ name: "file", filename: "people.csv", bytes: csv }]);
  const { id, mapping } = (await call("POST", "/api/reseller/imports", { token, ...file })).json.import;
  await call("PUT", `/api/reseller/imports/${id}`, { token, body: { mapping } });
  expect((await call("POST", `/api/reseller/imports/${id}/run`, { token })).status).toBe(200);
  return id;
}

async function readOutcomes(importId: number) {
  const { report } = await prisma().customerImport.findUniqueOrThrow({ where: { id: importId } });
  return (report as Array<{ outcome: string }>).map(({ outcome }) => outcome);
}

// These tests come first: one removes the table of settings, which the others would have cached.
describe("a failing job", () => {
  it("does not refuse an address because a lookup failed, and repeats the rows", async () => {
    const importId = await startImport(
      await makeResellerToken(),
      "name,email\nA,db.away@example.com\nB,b@mailinator.com",
    );
    await pool().query("alter table settings rename to settings_away");
    const hasFailed = await importCustomersJob({ importId }).then(
      () => false,
      () => true,
    );
    await pool().query("alter table settings_away rename to settings");
    expect(hasFailed).toBe(true);
    expect(await readOutcomes(importId)).toEqual([]);
    await importCustomersJob({ importId });
    expect(await readOutcomes(importId)).toEqual(["invited", "refused"]);
  });

  it("does not count mails of a rolled back transaction", async () => {
    const importId = await startImport(
      await makeResellerToken(),
      "name,email\nA,rolled.back@example.com\nB,fails@example.com",
    );
    await pool().query(`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'away'; end $$;
      create trigger fail before insert on customer_invitations for each row
        when (new.email = 'fails@example.com') execute function fail()`);
    for (let round = 1; round <= 3; round++) await expect(importCustomersJob({ importId })).rejects.toThrow();
    await pool().query("drop trigger fail on customer_invitations");
    await importCustomersJob({ importId });
    expect(await readOutcomes(importId)).toEqual(["invited", "invited"]);
    expect(await deliverAndReadMails(server, "rolled.back@example.com", "customer_invitation")).toHaveLength(
      1,
    );
  });
});

describe("importing a file again", () => {
  it("counts no mail for people who are not mailed", async () => {
    const token = await makeResellerToken();
    const { email: takenEmail } = await makeUser();
    const csv = `name,email\nA,again@example.com\nB,${takenEmail}`;
    const outcomesByRun = [];
    for (let round = 1; round <= 5; round++) {
      const importId = await startImport(token, csv);
      await importCustomersJob({ importId });
      outcomesByRun.push(await readOutcomes(importId));
    }
    const [firstRun, ...laterRuns] = outcomesByRun;
    expect(firstRun).toEqual(["invited", "has_account"]);
    expect(laterRuns).toEqual(Array(4).fill(["invited_already", "has_account"]));
    const { id } = await prisma().customerInvitation.findFirstOrThrow({
      where: { email: "again@example.com" },
    });
    const resendAndReadStatus = async () =>
      (await post(`/api/reseller/invitations/${id}/resend`, {}, { token })).status;
    expect([await resendAndReadStatus(), await resendAndReadStatus(), await resendAndReadStatus()]).toEqual([
      200, 200, 429,
    ]);
    const otherImportId = await startImport(await makeResellerToken(), "name,email\nA,again@example.com");
    await importCustomersJob({ importId: otherImportId });
    expect(await readOutcomes(otherImportId)).toEqual(["mailed_enough"]);
  });
});
