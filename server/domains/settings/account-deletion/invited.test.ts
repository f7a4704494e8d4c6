import { describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildMultipartForm } from "@/server/testing/multipart";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { call, post, runJobs } = server;

const PERSON = { name: "Kanarya Öz", email: "Kanarya.Davet@example.com", phone: "+905320009988" };
const PERSONAL_TEXTS = [PERSON.name, "kanarya.davet", PERSON.phone];

async function findTablesWithTraces(): Promise<string[]> {
  const { rows } = await pool().query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const tables: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool().query(
      `select 1 from "${name}" r where ${PERSONAL_TEXTS.map((_, index) => `strpos(lower(r::text), lower($${index + 1})) > 0`).join(" or ")} limit 1`,
      PERSONAL_TEXTS,
    );
    if (rowCount) tables.push(name);
  }
  return tables;
}

async function acceptInvitation(): Promise<string> {
  const mails = await deliverAndReadMails(server, PERSON.email);
  const token = getLinkParam(mails.find(({ template }) => template.endsWith("_invitation"))!, "token");
  const { password, password_confirmation, consents } = buildRegistrationBody();
  const response = await post("/api/auth/accept-invitation", {
    ...{ token, password, password_confirmation, consents },
  });
  expect(response.status).toBe(201);
  return response.json.token;
}

async function deleteAccount(token: string): Promise<void> {
  const { status } = await post("/api/auth/account/confirm-delete", { confirmation: "SİL" }, { token });
  expect(status).toBe(200);
  // The last mail is erased after it was sent.
  await prisma().mailMessage.deleteMany({ where: { template: "account_deleted" } });
}

async function makeSignedInReseller() {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}

describe("the erasure of an invited person", () => {
  it("leaves no trace in the table of a reseller's invitations", async () => {
    const { token } = await makeSignedInReseller();
    const invitation = await post("/api/reseller/customers", PERSON, { token });
    expect(invitation.status).toBe(201);
    const memberToken = await acceptInvitation();
    expect(await prisma().customerInvitation.count()).toBe(0);
    await deleteAccount(memberToken);
    expect(await findTablesWithTraces()).toEqual([]);
  });

  it("leaves no trace in the table of a team's invitations", async () => {
    const { id } = await makeUser();
    const { name, email } = PERSON;
    const invitation = await post(
      "/api/team/invitations",
      { name, email },
      { token: await makeToken(id, { provenAt: new Date() }) },
    );
    expect(invitation.status).toBe(201);
    const memberToken = await acceptInvitation();
    expect(await prisma().invitation.count()).toBe(0);
    await deleteAccount(memberToken);
    expect(await findTablesWithTraces()).toEqual([]);
  });

  it("leaves no trace in imports, nor in other invitations to the address", async () => {
    const [firstReseller, secondReseller] = [await makeSignedInReseller(), await makeSignedInReseller()];
    const uploadImport = async (token: string) => {
      const bytes = `Name,E-mail,Phone\nAyşe Kaya,ayse@example.com,\n${PERSON.name},${PERSON.email} ::: second@example.com,${PERSON.phone}\n`;
      const file = buildMultipartForm([{ name: "file", filename: "customers.csv", bytes }]);
      const { status, json } = await call("POST", "/api/reseller/imports", { token, ...file });
      expect(status).toBe(201);
      return json.import as { id: number; mapping: object };
    };
    const { id, mapping } = await uploadImport(firstReseller.token);
    await call("PUT", `/api/reseller/imports/${id}`, { token: firstReseller.token, body: { mapping } });
    await call("POST", `/api/reseller/imports/${id}/run`, { token: firstReseller.token });
    await runJobs();
    const waitingImport = await uploadImport(secondReseller.token);
    expect((await post("/api/reseller/customers", PERSON, { token: secondReseller.token })).status).toBe(201);
    expect(await prisma().customerInvitation.count({ where: { email: PERSON.email } })).toBe(2);
    await deleteAccount(await acceptInvitation());
    expect(await findTablesWithTraces()).toEqual([]);
    const readImportRows = async ({ token }: { token: string }, importId: number) =>
      (await call("GET", `/api/reseller/imports/${importId}`, { token })).json.import.rows;
    const remainingRow = { row: 2, name: "Ayşe Kaya", email: "ayse@example.com", phone: null };
    const emptiedRow = { row: 3, name: null, email: null, phone: null };
    expect(await readImportRows(firstReseller, id)).toMatchObject([
      remainingRow,
      { ...emptiedRow, outcome: "invited" },
    ]);
    expect(await readImportRows(secondReseller, waitingImport.id)).toMatchObject([remainingRow, emptiedRow]);
  });

  it("keeps invitations to an address that the account has not verified", async () => {
    const { token } = await makeSignedInReseller();
    expect((await post("/api/reseller/customers", PERSON, { token })).status).toBe(201);
    const stranger = await makeUser({ email: PERSON.email, emailVerifiedAt: null });
    await deleteAccount(await makeToken(stranger.id, { provenAt: new Date() }));
    expect(await prisma().customerInvitation.count({ where: { email: PERSON.email } })).toBe(1);
  });
});
