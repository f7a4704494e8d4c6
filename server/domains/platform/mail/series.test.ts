import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

it("counts mails by state and day, for administrators only", async () => {
  await prisma().mailMessage.createMany({
    data: (
      [
        ["2026-03-02", "sent"],
        ["2026-03-02", "sent"],
        ["2026-03-02", "failed"],
        ["2026-03-04", "queued"],
        ["2026-03-05", "failed"],
      ] as const
    ).map(([day, state]) => ({
      ...{ state, createdAt: new Date(`${day}T09:00:00Z`), toAddress: "ayse@example.com" },
      ...{ template: "password_changed", locale: "tr", sealed: new Uint8Array() },
    })),
  });
  const path = "/api/admin/mails/series?from=2026-03-02&to=2026-03-04&time_zone=UTC";
  const { token } = await makeSignedInUser({ role: "admin" });
  expect((await get(path, token)).json.data.lines).toMatchObject([
    { key: "sent", values: [2, 0, 0], total: 2 },
    { key: "queued", values: [0, 0, 1], total: 1 },
    { key: "failed", values: [1, 0, 0], total: 1 },
  ]);
  expect((await get(path, (await makeSignedInUser()).token)).status).toBe(403);
});
