import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { burst } from "@/server/testing/burst";
import { makeReseller, makeUser } from "@/server/testing/factories";
import { readMails } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";
import { remindAgreementJob } from "./jobs";
import { publishAgreement } from "./service/publish-text";

const server = await startTestServer();

it("mails resellers with an older signature once, and no others", async () => {
  const [signed, unsigned, passive] = [
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller", isActive: false }),
  ];
  await makeReseller(signed.id);
  await makeReseller(unsigned.id, { signed: false });
  await makeReseller(passive.id);
  await remindAgreementJob();
  await publishAgreement({ version: "2027-01", bodies: { tr: "1. Konu\n\n2. Süre" }, days: 14 });
  await burst(3, remindAgreementJob);
  await remindAgreementJob();
  const counts = await Promise.all(
    [signed, unsigned, passive].map(({ id }) =>
      prisma().mailMessage.count({ where: { userId: id, template: "agreement_changed" } }),
    ),
  );
  expect(counts).toEqual([1, 0, 0]);
  const [mail] = await readMails(server, signed.email, "agreement_changed");
  expect(mail?.text).toContain("/reseller/agreement");
});
