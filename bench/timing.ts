import type { Client } from "pg";
import { emailOf, fillAccounts } from "./data";
import { start, startDatabase, withClient } from "./environment";
import { call, sendRequest } from "./load";
import { median } from "./measure";
import { yesOrNo } from "./table";

const SAMPLES = 400;
const WARM_UP = 40;
/** Addresses per pair, shared with no other pair, so that no rate limit shortens a response. */
const ADDRESSES = 200;
const CLASS_SIZE = 1000;

interface Pair {
  name: string;
  path: string;
  body: (email: string) => object;
  /** First account of each class; 0 means addresses without an account. */
  classes: [number, number];
}

const FIRST = {
  active: 1,
  passive: 1001,
  unverified: 2001,
  provider: 3001,
  withPasskey: 4001,
  unregistered: 0,
};

const login = (email: string) => ({ email, password: "not-the-password" });
const emailOnly = (email: string) => ({ email });
const PAIRS: Pair[] = [
  ...(["unregistered", "passive", "unverified", "provider"] as const).map((other) => ({
    name: `login, wrong password: active / ${other}`,
    path: "/api/auth/login",
    body: login,
    classes: [FIRST.active, FIRST[other]] as [number, number],
  })),
  ...(["unregistered", "passive", "unverified"] as const).map((other) => ({
    name: `forgot-password: active / ${other}`,
    path: "/api/auth/forgot-password",
    body: emailOnly,
    classes: [FIRST.active, FIRST[other]] as [number, number],
  })),
  ...(["unregistered", "active"] as const).map((other) => ({
    name: `resend-verification: unverified / ${other}`,
    path: "/api/auth/resend-verification",
    body: emailOnly,
    classes: [FIRST.unverified, FIRST[other]] as [number, number],
  })),
  ...(["unregistered", "active"] as const).map((other) => ({
    name: `passkey options: with a passkey / ${other === "active" ? "without" : other}`,
    path: "/api/auth/passkey/login/options",
    body: emailOnly,
    classes: [FIRST.withPasskey, FIRST[other]] as [number, number],
  })),
];

/**
 * Measures whether response times reveal that an account exists. The area under the ROC curve is 0.5 if both
 * classes of a pair have the same distribution. A pair passes with 0.44 to 0.56 and medians within 2 ms.
 */
export default async function timing(): Promise<string[][]> {
  const { url } = await startDatabase();
  await fillAccounts(url);
  await withClient(url, createClasses);
  const { port } = await start("HTTP server", url);
  const rows = [["pair", "area", "median, ms", "difference, ms", "holds"]];
  for (const [index, pair] of PAIRS.entries())
    rows.push(await measure(port, pair, (index * ADDRESSES) % CLASS_SIZE));
  return rows;
}

async function createClasses(client: Client): Promise<void> {
  const between = (first: number) => `id between ${first} and ${first + 999}`;
  await client.query(`update users set is_active = false where ${between(FIRST.passive)}`);
  await client.query(`update users set email_verified_at = null where ${between(FIRST.unverified)}`);
  await client.query(`update users set password_hash = null where ${between(FIRST.provider)}`);
  await client.query(
    `insert into passkeys (id, user_id, credential_id, public_key, device_name, aaguid, backup_eligible, backed_up)
     select 'K' || id, id, 'credential-' || id, '', 'Phone', '', true, true from users where ${between(FIRST.withPasskey)}`,
  );
  await client.query("analyze");
}

async function measure(port: number, { name, path, body, classes }: Pair, offset: number): Promise<string[]> {
  const times: [number[], number[]] = [[], []];
  // Random order, because other load and the jobs of a request must slow both classes alike.
  for (let sample = -WARM_UP; Math.min(times[0].length, times[1].length) < SAMPLES; sample++) {
    const index = Math.random() < 0.5 ? 0 : 1;
    const first = classes[index];
    const number = offset + ((sample + WARM_UP) % ADDRESSES);
    const email = first === 0 ? `nobody${number}@example.com` : emailOf(first + number);
    const request = call("POST", path, { body: body(email) });
    const startedAt = performance.now();
    await sendRequest(port, request);
    if (sample >= 0) times[index].push(performance.now() - startedAt);
  }
  const area = areaUnderCurve(times[0], times[1]);
  const difference = Math.abs(median(times[0]) - median(times[1]));
  const passes = area >= 0.44 && area <= 0.56 && difference <= 2;
  return [name, area.toFixed(3), median(times[0]).toFixed(2), difference.toFixed(2), yesOrNo(passes)];
}

/** Returns the probability that a time of `a` exceeds one of `b`; ties count half. */
function areaUnderCurve(a: number[], b: number[]): number {
  let wins = 0;
  for (const x of a) for (const y of b) wins += x > y ? 1 : x === y ? 0.5 : 0;
  return wins / (a.length * b.length);
}
