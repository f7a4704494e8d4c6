import { setTimeout as sleep } from "node:timers/promises";
import type { FakeSmtpServer } from "@/server/testing/smtp";
import { BENCH_PASSWORD, getEmail } from "../data";
import { type ApiResponse, buildRegistrationBody, PICTURE, sendApiRequest } from "./load";

type ReportCheck = (isOk: boolean, text: string) => void;
type ServerUrls = [string, string];

export async function runMainPath(
  urls: ServerUrls,
  {
    mail,
    administratorEmail,
    reportCheck,
  }: { mail: FakeSmtpServer; administratorEmail: string; reportCheck: ReportCheck },
): Promise<void> {
  let turn = 0;
  const call = async (
    method: string,
    path: string,
    request: { token?: string; body?: object; file?: Uint8Array<ArrayBuffer> } = {},
  ): Promise<ApiResponse["body"]> => {
    const { status, body } = await sendApiRequest(urls[turn++ % 2] + path, { method, ...request });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const readMailLink = async (address: string, count = 1) =>
    new URL(/https?:\/\/\S+/.exec((await mail.waitForMails(address, count)).at(-1)!.text!)![0]);

  const passwords = {
    password: "the-drill-of-an-operator",
    password_confirmation: "the-drill-of-an-operator",
  };
  const resetBody = {
    token: (await readMailLink(administratorEmail)).searchParams.get("token"),
    email: administratorEmail,
    ...passwords,
  };
  await call("POST", "/api/auth/reset-password", { body: resetBody });
  const { token: adminToken } = await call("POST", "/api/auth/login", {
    body: { email: administratorEmail, password: passwords.password },
  });
  const bank = { holder: "Tellal A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" };
  await call("PUT", "/api/admin/settings", { token: adminToken, body: { bank } });

  const email = "ayse@example.com";
  const { token, user } = await call("POST", "/api/auth/register", { body: buildRegistrationBody(email) });
  await call("POST", "/api/auth/verify-email", {
    body: { token: (await readMailLink(email)).searchParams.get("token") },
  });
  const { data: plans } = await call("GET", "/api/subscription-plans", { token });
  const { order } = await call("POST", "/api/billing/orders", { token, body: { plan_id: plans[0].id } });
  const payment = {
    user_id: user.id,
    plan_id: plans[0].id,
    order_id: order.id,
    bank_reference: order.reference,
  };
  const activationPath = "/api/admin/subscriptions/manual-activate";
  await call("POST", `${activationPath}/preview`, { token: adminToken, body: payment });
  await call("POST", activationPath, { token: adminToken, body: payment });
  const { site } = await call("POST", "/api/sites", {
    token,
    body: { name: "Kaya Kahve", domain: "kahve.example.com" },
  });
  reportCheck(
    site.is_active,
    "registered, verified, ordered, activated and created a site, alternating between the servers",
  );

  for (const [name, path, urlField] of [
    ["file", "/api/media/upload", "url"],
    ["picture", "/api/user/avatar", "avatar_url"],
  ] as const) {
    const response = await call("POST", path, { token, file: PICTURE });
    const [firstBytes, secondBytes] = await Promise.all(
      urls.map((url) => fetchBytes(url + new URL(response[urlField]).pathname)),
    );
    const isSame = firstBytes!.length > 0 && firstBytes!.equals(secondBytes!);
    reportCheck(isSame, `a ${name} uploaded to one server has the same ${firstBytes!.length} bytes on both`);
  }

  await call("POST", "/api/user/export", { token, body: {} });
  const exportLink = await waitForExportLink(mail, email);
  const archives = await Promise.all(
    urls.map((url) => fetchBytes(url + exportLink.pathname + exportLink.search)),
  );
  const isSameArchive = archives[0]!.subarray(0, 2).toString() === "PK" && archives[0]!.equals(archives[1]!);
  reportCheck(
    isSameArchive,
    `an export created by the worker has the same ${archives[0]!.length} bytes on both`,
  );
}

async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
}

async function waitForExportLink(mail: FakeSmtpServer, address: string): Promise<URL> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(200)) {
    const texts = mail.mails.filter(({ recipients }) => recipients.includes(address)).map(({ text }) => text);
    const match = /http\S+\/api\/user\/export\/\S+/.exec(texts.join("\n"));
    if (match) return new URL(match[0]);
  }
  throw new Error("no mail with the export arrived");
}

/** The limit of 600 calls applies to both servers together. */
export async function checkSharedLimit(
  urls: ServerUrls,
  token: string,
  reportCheck: ReportCheck,
): Promise<void> {
  const counts: Record<string, number> = {};
  const runClient = async (index: number) => {
    for (let callIndex = 0; callIndex < 50; callIndex++) {
      const { status } = await sendApiRequest(`${urls[(index + callIndex) % 2]}/api/sites`, { token });
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 26 }, (_, index) => runClient(index)));
  reportCheck(
    counts[200] === 600,
    `${counts[200]} of 1,300 calls within the limit of 600, ${counts[429]} refused`,
  );
}

export async function checkSharedSessions(urls: ServerUrls, reportCheck: ReportCheck): Promise<void> {
  const body = { email: getEmail(9_000), password: BENCH_PASSWORD };
  const signIn = async (url: string) =>
    (await sendApiRequest(`${url}/api/auth/login`, { method: "POST", body })).body.token;
  const [currentToken, otherToken, signedOutToken] = [
    await signIn(urls[0]),
    await signIn(urls[1]),
    await signIn(urls[1]),
  ];
  const readStatuses = (token: string) =>
    Promise.all(urls.map(async (url) => (await sendApiRequest(`${url}/api/auth/user`, { token })).status));
  const statusesBefore = [...(await readStatuses(otherToken)), ...(await readStatuses(signedOutToken))];
  await sendApiRequest(`${urls[0]}/api/auth/logout`, { method: "POST", token: signedOutToken });
  const signedOutStatuses = await readStatuses(signedOutToken);
  await sendApiRequest(`${urls[1]}/api/profile/sessions`, { method: "DELETE", token: currentToken });
  const endedStatuses = await readStatuses(otherToken);
  const currentStatuses = await readStatuses(currentToken);
  const isOk =
    `${statusesBefore} ${signedOutStatuses} ${endedStatuses} ${currentStatuses}` ===
    "200,200,200,200 401,401 401,401 200,200";
  reportCheck(
    isOk,
    `a session that ended on one server has ended on both: ${signedOutStatuses}, ${endedStatuses}; the current one is valid: ${currentStatuses}`,
  );
}
