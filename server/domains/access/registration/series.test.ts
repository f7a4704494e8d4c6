import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();
const at = (day: string) => new Date(`${day}T09:00:00Z`);
const PATH = "/api/admin/sign-ups/series?from=2026-03-02&to=2026-03-04&compare=previous&time_zone=UTC";

it("counts sign-ups and refusals by day, without agents and anonymised accounts", async () => {
  const { id: adminId, token } = await makeSignedInUser({ role: "admin", createdAt: at("2025-01-01") });
  const signUp = (day: string, data: object = {}) => makeUser({ createdAt: at(day), ...data });
  await signUp("2026-02-28");
  await signUp("2026-03-02");
  await signUp("2026-03-04", { role: "reseller" });
  await signUp("2026-03-04");
  await signUp("2026-03-04", { isAgentOnly: true, parentUserId: adminId });
  await signUp("2026-03-04", { anonymisedAt: new Date() });
  await signUp("2026-03-05");
  await prisma().signUpRefusal.createMany({
    data: ["2026-03-03", "2026-03-03", "2026-03-05"].map((day) => ({
      ...{ at: at(day), domain: "example.com", reason: "no_mail", ipBucket: new Uint8Array(1) },
    })),
  });
  const { json } = await get(PATH, token);
  expect(json.data.lines).toMatchObject([
    { key: "signed_up", values: [1, 0, 2], total: 3, previous_values: [0, 1, 0], previous_total: 1 },
    { key: "refused", values: [0, 2, 0], total: 2, previous_total: 0 },
  ]);
});

it("refuses everyone but administrators", async () => {
  for (const role of ["user", "reseller"] as const)
    expect((await get(PATH, (await makeSignedInUser({ role })).token)).status).toBe(403);
});
