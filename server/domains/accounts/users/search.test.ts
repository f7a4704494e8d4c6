import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeSignedInUser, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { computeSearchTextsJob } from "./jobs";
import { setEmail, updateUser } from "./service/change";
import { buildSearchPatterns, buildUserSearchText } from "./service/search";

const server = await startTestServer();
const { call, post } = server;

async function readSearchTexts() {
  const users = await prisma().user.findMany({ orderBy: { id: "asc" } });
  return {
    stored: users.map(({ id, searchText }) => [id, searchText]),
    expected: users.map((user) => [user.id, user.anonymisedAt ? "" : buildUserSearchText(user)]),
  };
}
async function expectCurrentSearchTexts() {
  const { stored, expected } = await readSearchTexts();
  expect(stored).toEqual(expected);
}

describe("the search text of an account", () => {
  it("is updated with every change of name, e-mail address or phone number", async () => {
    const registration = await post(
      "/api/auth/register",
      buildRegistrationBody({ name: "Işıl İnce", phone: "0532 765 43 21" }),
    );
    expect(registration.status).toBe(201);
    await expectCurrentSearchTexts();
    const { searchText } = await prisma().user.findUniqueOrThrow({
      where: { id: registration.json.user.id },
    });
    expect(searchText).toMatch(/^isil ince .* 905327654321 05327654321$/);

    const { token } = registration.json;
    for (const body of [
      { name: "IŞIL İNCE" },
      { name: "Çağrı" },
      { phone: "+905320000009" },
      { email: "yeni@example.com" },
    ]) {
      expect((await call("PUT", "/api/auth/profile", { token, body })).status).toBe(200);
      await expectCurrentSearchTexts();
    }
    const { token: ownerToken, ...owner } = await makeSignedInUser({ name: "Sahip" });
    const invitation = await post(
      "/api/team/invitations",
      { name: "Üye", email: "uye@example.com" },
      { token: ownerToken },
    );
    expect(invitation.status).toBe(201);
    const [mail] = await deliverAndReadMails(server, "uye@example.com", "sub_user_invitation");
    const acceptance = await post("/api/auth/accept-invitation", {
      token: getLinkParam(mail!, "token"),
      name: "Ümit Çınar",
      phone: "+905320000010",
      password: "a-long-passphrase",
      password_confirmation: "a-long-passphrase",
      consents: { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true },
    });
    expect(acceptance.status, acceptance.text).toBe(201);
    await setEmail(withoutTransaction(), owner.id, { email: "baska@example.com", verifiedAt: new Date() });
    await updateUser(withoutTransaction(), { id: owner.id }, { phone: null });
    await expectCurrentSearchTexts();
  });

  it("is computed by a job for rows of an older release, but not for deleted accounts", async () => {
    const deletedUser = await makeUser({ name: "Giden" });
    const legacyUser = await makeUser({ name: "Eski" });
    await prisma().user.update({
      where: { id: deletedUser.id },
      data: { name: "Silinmiş Kullanıcı", searchText: "", anonymisedAt: new Date() },
    });
    await prisma().user.create({ data: { name: "Yeni", email: "y@example.com", emailKey: "y@example.com" } });
    await prisma().user.update({ where: { id: legacyUser.id }, data: { name: "Eskiden" } });
    const usersWithoutText = await prisma().user.findMany({
      where: { searchText: null },
      select: { name: true },
    });
    expect(usersWithoutText.map(({ name }) => name).sort()).toEqual(["Eskiden", "Yeni"]);
    await prisma().user.updateMany({ where: { id: legacyUser.id }, data: { isActive: false } });
    await computeSearchTextsJob();
    await expectCurrentSearchTexts();
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
  ])("becomes patterns: %s", (query, patterns) => expect(buildSearchPatterns(query)).toEqual(patterns));
});
