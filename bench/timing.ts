import type { Client } from "pg";
import { fillAccounts, getEmail } from "./data";
import { startDatabase, startTrackedServer, withClient } from "./environment";
import { buildRequest, sendRequest } from "./load";
import { median } from "./measure";
import { yesOrNo } from "./table";

const SAMPLE_COUNT = 400;
const WARM_UP_SAMPLES = 40;
/** Pairs do not share addresses: a rate limit would shorten responses. */
const ADDRESSES_PER_PAIR = 200;
const CLASS_SIZE = 1000;

interface ClassPair {
  name: string;
  path: string;
  body: (email: string) => object;
  /** First account of each class; 0 means addresses without an account. */
  classes: [number, number];
}

const FIRST_ACCOUNT_IDS = {
  active: 1,
  passive: 1001,
  unverified: 2001,
  provider: 3001,
  withPasskey: 4001,
  unregistered: 0,
};

const buildLoginBody = (email: string) => ({ email, password: "not-the-password" });
const buildEmailBody = (email: string) => ({ email });
const PAIRS: ClassPair[] = [
  ...(["unregistered", "passive", "unverified", "provider"] as const).map((otherClass) => ({
    name: `login, wrong password: active / ${otherClass}`,
    path: "/api/auth/login",
    body: buildLoginBody,
    classes: [FIRST_ACCOUNT_IDS.active, FIRST_ACCOUNT_IDS[otherClass]] as [number, number],
  })),
  ...(["unregistered", "passive", "unverified"] as const).map((otherClass) => ({
    name: `forgot-password: active / ${otherClass}`,
    path: "/api/auth/forgot-password",
    body: buildEmailBody,
    classes: [FIRST_ACCOUNT_IDS.active, FIRST_ACCOUNT_IDS[otherClass]] as [number, number],
  })),
  ...(["unregistered", "active"] as const).map((otherClass) => ({
    name: `resend-verification: unverified / ${otherClass}`,
    path: "/api/auth/resend-verification",
    body: buildEmailBody,
    classes: [FIRST_ACCOUNT_IDS.unverified, FIRST_ACCOUNT_IDS[otherClass]] as [number, number],
  })),
  ...(["unregistered", "active"] as const).map((otherClass) => ({
    name: `passkey options: with a passkey / ${otherClass === "active" ? "without" : otherClass}`,
    path: "/api/auth/passkey/login/options",
    body: buildEmailBody,
    classes: [FIRST_ACCOUNT_IDS.withPasskey, FIRST_ACCOUNT_IDS[otherClass]] as [number, number],
  })),
];

/**
 * Measures whether response times distinguish account classes. A pair holds with an area under the ROC curve
 * of 0.44 to 0.56 and medians within 2 ms. Equal times have the area 0.5.
 */
export default async function measureTiming(): Promise<string[][]> {
  const { url } = await startDatabase();
  await fillAccounts(url);
  await withClient(url, createClasses);
  const { port } = await startTrackedServer("HTTP server", url);
  const rows = [["pair", "area", "median, ms", "difference, ms", "holds"]];
  for (const [index, pair] of PAIRS.entries())
    rows.push(await measurePair(port, pair, (index * ADDRESSES_PER_PAIR) % CLASS_SIZE));
  return rows;
}

async function createClasses(client: Client): Promise<void> {
  // 999 is CLASS_SIZE - 1.
  const classCondition = (firstId: number) => `id between ${firstId} and ${firstId + 999}`;
  await client.query(`update users set is_active = false where ${classCondition(FIRST_ACCOUNT_IDS.passive)}`);
  await client.query(
    `update users set email_verified_at = null where ${classCondition(FIRST_ACCOUNT_IDS.unverified)}`,
  );
  await client.query(
    `update users set password_hash = null where ${classCondition(FIRST_ACCOUNT_IDS.provider)}`,
  );
  await client.query(
    `insert into passkeys (id, user_id, credential_id, public_key, device_name, aaguid, backup_eligible, backed_up)
     select 'K' || id, id, 'credential-' || id, '', 'Phone', '', true, true from users where ${classCondition(FIRST_ACCOUNT_IDS.withPasskey)}`,
  );
  await client.query("analyze");
}

async function measurePair(
  port: number,
  { name, path, body, classes }: ClassPair,
  offset: number,
): Promise<string[]> {
  const times: [number[], number[]] = [[], []];
  // Random order, so that other load and jobs slow both classes alike.
  for (let sample = -WARM_UP_SAMPLES; Math.min(times[0].length, times[1].length) < SAMPLE_COUNT; sample++) {
    const index = Math.random() < 0.5 ? 0 : 1;
    const firstAccountId = classes[index];
    const accountOffset = offset + ((sample + WARM_UP_SAMPLES) % ADDRESSES_PER_PAIR);
    const email =
      firstAccountId === 0 ? `nobody${accountOffset}@example.com` : getEmail(firstAccountId + accountOffset);
    const request = buildRequest("POST", path, { body: body(email) });
    const startedAt = performance.now();
    await sendRequest(port, request);
    if (sample >= 0) times[index].push(performance.now() - startedAt);
  }
  const area = computeAreaUnderCurve(times[0], times[1]);
  const difference = Math.abs(median(times[0]) - median(times[1]));
  const isPassing = area >= 0.44 && area <= 0.56 && difference <= 2;
  return [name, area.toFixed(3), median(times[0]).toFixed(2), difference.toFixed(2), yesOrNo(isPassing)];
}

/** Returns the probability that a time of `left` exceeds one of `right`; ties count half. */
function computeAreaUnderCurve(left: number[], right: number[]): number {
  let wins = 0;
  for (const leftTime of left)
    for (const rightTime of right) wins += leftTime > rightTime ? 1 : leftTime === rightTime ? 0.5 : 0;
  return wins / (left.length * right.length);
}
