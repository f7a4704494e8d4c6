import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeSignedInUser, makeUser } from "@/server/testing/factories";
import { linkParam, mailsTo } from "@/server/testing/mailbox";
import { registrationBody } from "@/server/testing/requests";
import { testServer } from "@/server/testing/server";
import { foldUsersJob } from "./jobs";
import { setAddress, updateUser } from "./service/change";
import { searchPatterns, searchTextOf } from "./service/search";

const server = await testServer();
const { call, post } = server;

/** Returns the stored and the expected search text of all accounts. */
async function walk() {
  const users = await prisma().user.findMany({ orderBy: { id: "asc" } });
  return {
    found: users.map(({ id, searchText }) => [id, searchText]),
    wanted: users.map((user) => [user.id, user.anonymisedAt ? "" : searchTextOf(user)]),
  };
}
async function expectFolded() {
  const { found, wanted } = await walk();
  expect(found).toEqual(wanted);
}

describe("the search text of an account", () => {
  it("is updated with every change of name, e-mail address or phone number", async () => {
    const registered = await post(
      "/api/auth/register",
      registrationBody({ name: "Işıl İnce", phone: "0532 765 43 21" }),
    );
    expect(registered.status).toBe(201);
    await expectFolded();
    const { searchText } = await prisma().user.findUniqueOrThrow({ where: { id: registered.json.user.id } });
    expect(searchText).toMatch(/^isil ince .* 905327654321 05327654321$/);

    const { token } = registered.json;
    for (const body of [
      { name: "IŞIL İNCE" },
      { name: "Çağrı" },
      { phone: "+905320000009" },
      { email: "yeni@example.com" },
    ]) {
      expect((await call("PUT", "/api/auth/profile", { token, body })).status).toBe(200);
      await expectFolded();
    }
    const { token: ownerToken, ...owner } = await makeSignedInUser({ name: "Sahip" });
    const invited = await post(
      "/api/team/invitations",
      { name: "Üye", email: "uye@example.com" },
      { token: ownerToken },
    );
    expect(invited.status).toBe(201);
    const [mail] = await mailsTo(server, "uye@example.com", "sub_user_invitation");
    const accepted = await post("/api/auth/accept-invitation", {
      token: linkParam(mail!, "token"),
      name: "Ümit Çınar",
      phone: "+905320000010",
      password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true },
    });
    expect(accepted.status, accepted.text).toBe(201);
    await setAddress(withoutTransaction(), owner.id, { email: "baska@example.com", verifiedAt: new Date() });
    await updateUser(withoutTransaction(), { id: owner.id }, { phone: null });
    await expectFolded();
  });

  it("is emptied by an anonymisation, and computed by a job after a write of an older release", async () => {
    const gone = await makeUser({ name: "Giden" });
    const older = await makeUser({ name: "Eski" });
    await prisma().user.update({
      where: { id: gone.id },
      data: { name: "Silinmiş Kullanıcı", searchText: "", anonymisedAt: new Date() },
    });
    await prisma().user.create({ data: { name: "Yeni", email: "y@example.com", emailKey: "y@example.com" } });
    await prisma().user.update({ where: { id: older.id }, data: { name: "Eskiden" } });
    const unfolded = await prisma().user.findMany({ where: { searchText: null }, select: { name: true } });
    expect(unfolded.map(({ name }) => name).sort()).toEqual(["Eskiden", "Yeni"]);
    await prisma().user.updateMany({ where: { id: older.id }, data: { isActive: false } });
    await foldUsersJob();
    await expectFolded();
  });
});

describe("a search query", () => {
  it.each([
    ["İŞIL çelik", ["%isil%", "%celik%"]],
    ["%_\\", ["%\\%\\_\\\\%"]],
    ["+90 (532) 111", ["%90532111%"]],
    ["0090 532", ["%90532%"]],
    ["12", ["%12%"]],
    ["  ", []],
    [null, []],
  ])("becomes patterns: %s", (query, patterns) => expect(searchPatterns(query)).toEqual(patterns));
});
