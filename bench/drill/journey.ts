import { setTimeout as sleep } from "node:timers/promises";
import type { SmtpPeer } from "@/server/testing/smtp";
import { emailOf, PASSWORD } from "../data";
import { type Answer, newPerson, PICTURE, send } from "./load";

/* What has to be the same whichever of two servers somebody reaches. */

type Expects = (good: boolean, text: string) => void;
type Urls = [string, string];

/** From a registration to a paid site, a picture and a copy of one's data; each step on the other server than the one before. */
export async function mainJob(
  urls: Urls,
  { mail, boss, expects }: { mail: SmtpPeer; boss: string; expects: Expects },
): Promise<void> {
  let turn = 0;
  const call = async (
    method: string,
    path: string,
    given: { token?: string; body?: object; file?: Uint8Array<ArrayBuffer> } = {},
  ): Promise<Answer["body"]> => {
    const { status, body } = await send(urls[turn++ % 2] + path, { method, ...given });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const linkIn = async (address: string, count = 1) =>
    new URL(/https?:\/\/\S+/.exec((await mail.waitFor(address, count)).at(-1)!.text!)![0]);

  const secret = { password: "the-drill-of-an-operator", password_confirmation: "the-drill-of-an-operator" };
  const invited = { token: (await linkIn(boss)).searchParams.get("token"), email: boss, ...secret };
  await call("POST", "/api/auth/reset-password", { body: invited });
  const { token: admin } = await call("POST", "/api/auth/login", {
    body: { email: boss, password: secret.password },
  });
  const bank = { holder: "Tellal A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" };
  await call("PUT", "/api/admin/settings", { token: admin, body: { bank } });

  const email = "ayse@example.com";
  const { token, user } = await call("POST", "/api/auth/register", { body: newPerson(email) });
  await call("POST", "/api/auth/verify-email", {
    body: { token: (await linkIn(email)).searchParams.get("token") },
  });
  const { data: plans } = await call("GET", "/api/subscription-plans", { token });
  const { order } = await call("POST", "/api/billing/orders", { token, body: { plan_id: plans[0].id } });
  const payment = {
    user_id: user.id,
    plan_id: plans[0].id,
    order_id: order.id,
    bank_reference: order.reference,
  };
  const path = "/api/admin/subscriptions/manual-activate";
  await call("POST", `${path}/preview`, { token: admin, body: payment });
  await call("POST", path, { token: admin, body: payment });
  const { site } = await call("POST", "/api/sites", {
    token,
    body: { name: "Kaya Kahve", domain: "kahve.example.com" },
  });
  expects(
    site.is_active,
    "registered, verified, ordered, activated, and a site made, in turns on both servers",
  );

  for (const [name, method, at] of [
    ["file", "/api/media/upload", "url"],
    ["picture", "/api/user/avatar", "avatar_url"],
  ] as const) {
    const answer = await call("POST", method, { token, file: PICTURE });
    const seen = await Promise.all(urls.map((url) => bytesOf(url + new URL(answer[at]).pathname)));
    const alike = seen[0]!.length > 0 && seen[0]!.equals(seen[1]!);
    expects(alike, `a ${name} that was sent to one server is the same ${seen[0]!.length} bytes on both`);
  }

  await call("POST", "/api/user/export", { token, body: {} });
  const link = await exported(mail, email);
  const archives = await Promise.all(urls.map((url) => bytesOf(url + link.pathname + link.search)));
  const whole = archives[0]!.subarray(0, 2).toString() === "PK" && archives[0]!.equals(archives[1]!);
  expects(
    whole,
    `a copy of one's data, made by the worker, is the same ${archives[0]!.length} bytes on both`,
  );
}

async function bytesOf(url: string): Promise<Buffer> {
  const response = await fetch(url);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
}

async function exported(mail: SmtpPeer, address: string): Promise<URL> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(200)) {
    const texts = mail.mails.filter(({ recipients }) => recipients.includes(address)).map(({ text }) => text);
    const found = /http\S+\/api\/user\/export\/\S+/.exec(texts.join("\n"));
    if (found) return new URL(found[0]);
  }
  throw new Error("no mail with the export came");
}

/** 1,300 calls with one token, half of them to each server. */
export async function oneLimit(urls: Urls, token: string, expects: Expects): Promise<void> {
  const counts: Record<string, number> = {};
  const client = async (index: number) => {
    for (let call = 0; call < 50; call++) {
      const { status } = await send(`${urls[(index + call) % 2]}/api/sites`, { token });
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 26 }, (_, index) => client(index)));
  expects(
    counts[200] === 600,
    `${counts[200]} of 1,300 calls within the limit of 600, ${counts[429]} refused`,
  );
}

/** Sessions that end on one server. */
export async function oneSession(urls: Urls, expects: Expects): Promise<void> {
  const body = { email: emailOf(9_000), password: PASSWORD };
  const signIn = async (url: string) =>
    (await send(`${url}/api/auth/login`, { method: "POST", body })).body.token;
  const [kept, other, left] = [await signIn(urls[0]), await signIn(urls[1]), await signIn(urls[1])];
  const statuses = (token: string) =>
    Promise.all(urls.map(async (url) => (await send(`${url}/api/auth/user`, { token })).status));
  const before = [...(await statuses(other)), ...(await statuses(left))];
  await send(`${urls[0]}/api/auth/logout`, { method: "POST", token: left });
  const signedOut = await statuses(left);
  await send(`${urls[1]}/api/profile/sessions`, { method: "DELETE", token: kept });
  const ended = await statuses(other);
  const own = await statuses(kept);
  const good = `${before} ${signedOut} ${ended} ${own}` === "200,200,200,200 401,401 401,401 200,200";
  expects(
    good,
    `a session that ends on one server has ended on both: ${signedOut}, ${ended}; one's own goes on: ${own}`,
  );
}
