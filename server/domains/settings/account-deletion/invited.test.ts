import { describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { linkParam, mailsTo } from "@/server/testing/mailbox";
import { multipartForm } from "@/server/testing/multipart";
import { registrationBody } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";

const server = await testServer();
const { call, post, work } = server;

const PERSON = { name: "Kanarya Öz", email: "Kanarya.Davet@example.com", phone: "+905320009988" };
const TRACES = [PERSON.name, "kanarya.davet", PERSON.phone];

async function tablesWithTraces(): Promise<string[]> {
  const { rows } = await pool().query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool().query(
      `select 1 from "${name}" r where ${TRACES.map((_, index) => `strpos(lower(r::text), lower($${index + 1})) > 0`).join(" or ")} limit 1`,
      TRACES,
    );
    if (rowCount) found.push(name);
  }
  return found;
}

async function accept(): Promise<string> {
  const mails = await mailsTo(server, PERSON.email);
  const token = linkParam(mails.find(({ template }) => template.endsWith("_invitation"))!, "token");
  const { password, password_confirmation, consents } = registrationBody();
  const accepted = await post("/api/auth/accept-invitation", {
    ...{ token, password, password_confirmation, consents },
  });
  expect(accepted.status).toBe(201);
  return accepted.json.token;
}

async function erase(token: string): Promise<void> {
  const { status } = await post("/api/auth/account/confirm-delete", { confirmation: "SİL" }, { token });
  expect(status).toBe(200);
  // The last mail is erased after it was sent.
  await prisma().mailMessage.deleteMany({ where: { template: "account_deleted" } });
}

async function reseller() {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}

describe("the erasure of an invited person", () => {
  it("leaves no trace in the table of a reseller's invitations", async () => {
    const { token } = await reseller();
    const invited = await post("/api/reseller/customers", PERSON, { token });
    expect(invited.status).toBe(201);
    const own = await accept();
    expect(await prisma().customerInvitation.count()).toBe(0);
    await erase(own);
    expect(await tablesWithTraces()).toEqual([]);
  });

  it("leaves no trace in the table of a team's invitations", async () => {
    const { id } = await makeUser();
    const { name, email } = PERSON;
    const invited = await post(
      "/api/team/invitations",
      { name, email },
      { token: await makeToken(id, { provenAt: new Date() }) },
    );
    expect(invited.status).toBe(201);
    const own = await accept();
    expect(await prisma().invitation.count()).toBe(0);
    await erase(own);
    expect(await tablesWithTraces()).toEqual([]);
  });

  it("leaves no trace in imports, nor in other invitations to the address", async () => {
    const [first, second] = [await reseller(), await reseller()];
    const upload = async (token: string) => {
      const bytes = `Name,E-mail,Phone\nAyşe Kaya,ayse@example.com,\n${PERSON.name},${PERSON.email} ::: second@example.com,${PERSON.phone}\n`;
      const file = multipartForm([{ name: "file", filename: "customers.csv", bytes }]);
      const { status, json } = await call("POST", "/api/reseller/imports", { token, ...file });
      expect(status).toBe(201);
      return json.import as { id: number; mapping: object };
    };
    const { id, mapping } = await upload(first.token);
    await call("PUT", `/api/reseller/imports/${id}`, { token: first.token, body: { mapping } });
    await call("POST", `/api/reseller/imports/${id}/run`, { token: first.token });
    await work();
    const waiting = await upload(second.token);
    expect((await post("/api/reseller/customers", PERSON, { token: second.token })).status).toBe(201);
    expect(await prisma().customerInvitation.count({ where: { email: PERSON.email } })).toBe(2);
    await erase(await accept());
    expect(await tablesWithTraces()).toEqual([]);
    const read = async ({ token }: { token: string }, importId: number) =>
      (await call("GET", `/api/reseller/imports/${importId}`, { token })).json.import.rows;
    const remaining = { row: 2, name: "Ayşe Kaya", email: "ayse@example.com", phone: null };
    const emptied = { row: 3, name: null, email: null, phone: null };
    expect(await read(first, id)).toMatchObject([remaining, { ...emptied, outcome: "invited" }]);
    expect(await read(second, waiting.id)).toMatchObject([remaining, emptied]);
  });

  it("keeps invitations to an address that the account has not verified", async () => {
    const { token } = await reseller();
    expect((await post("/api/reseller/customers", PERSON, { token })).status).toBe(201);
    const stranger = await makeUser({ email: PERSON.email, emailVerifiedAt: null });
    await erase(await makeToken(stranger.id, { provenAt: new Date() }));
    expect(await prisma().customerInvitation.count({ where: { email: PERSON.email } })).toBe(1);
  });
});
