import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { startTestServer } from "@/server/testing/server";
import { remindAgreementJob } from "./jobs";
import { publishAgreement } from "./service/publish-text";

const server = await startTestServer();

it("mails resellers with an older signature once, and no others", async () => {
  const [signedReseller, unsignedReseller, inactiveReseller] = [
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller", isActive: false }),
  ];
  await makeReseller(signedReseller.id);
  await makeReseller(unsignedReseller.id, { signed: false });
  await makeReseller(inactiveReseller.id);
  await remindAgreementJob();
  await publishAgreement({ version: "2027-01", bodies: { tr: "1. Konu\n\n2. Süre" }, days: 14 });
  await runConcurrently(3, remindAgreementJob);
  await remindAgreementJob();
  const counts = await Promise.all(
    [signedReseller, unsignedReseller, inactiveReseller].map(({ id }) =>
      prisma().mailMessage.count({ where: { userId: id, template: "agreement_changed" } }),
    ),
  );
  expect(counts).toEqual([1, 0, 0]);
  const [mail] = await deliverAndReadMails(server, signedReseller.email, "agreement_changed");
  expect(mail?.text).toContain("/reseller/agreement");
});
