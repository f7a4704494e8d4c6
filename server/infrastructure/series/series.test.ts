import { describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

type Body = {
  starts: string[];
  ends_at: string;
  lines: {
    key: string;
    total: number;
    values: number[];
    previous_total: number | null;
    previous_values: number[] | null;
  }[];
};

async function makeReceiver() {
  const user = await makeUser();
  const endpoint = await prisma().webhookEndpoint.create({
    data: {
      ...{
        userId: user.id,
        url: "https://example.com/hook",
        urlHash: new Uint8Array([user.id % 256, user.id >> 8]),
      },
      ...{ events: [], secretSealed: new Uint8Array(1), secretLastFour: "abcd" },
    },
  });
  const token = await makeToken(user.id);
  return { user, endpoint, token };
}

/** A delivery every 20 minutes, so that every hour and every quarter of an offset has some. */
async function addDeliveries(endpointId: number, from: string, to: string) {
  await pool().query(
    `with event as (
       insert into webhook_events (id, type, body, audience, created_at)
       select 'msg_' || $1::int || '_' || extract(epoch from at), 'site.created', '{}', '{}', at
         from generate_series($2::timestamptz, $3::timestamptz, interval '20 minutes') at returning id, created_at)
     insert into webhook_deliveries (endpoint_id, event_id, state, attempts, created_at, delivered_at)
     select $1::int, id, case when extract(minute from created_at) = 40 then 'failed' else 'delivered' end, 1, created_at,
            case when extract(minute from created_at) <> 40 then created_at end from event`,
    [endpointId, from, to],
  );
}

const readTimes = async (endpointId: number) =>
  (
    await prisma().webhookDelivery.findMany({
      where: { endpointId },
      select: { createdAt: true, state: true },
    })
  ).map(({ createdAt, state }) => ({ at: createdAt, state }));

describe.each([
  ["Europe/Istanbul", "2016-03-01", "2016-03-31"],
  ["America/New_York", "2026-03-01", "2026-03-31"],
  ["America/New_York", "2026-11-01", "2026-11-30"],
  ["Asia/Kathmandu", "2026-03-01", "2026-03-31"],
])("a month in %s from %s", (zone, from, to) => {
  it("has the same figures as a count by hand, by day", async () => {
    const { endpoint, token } = await makeReceiver();
    const dayBefore = new Date(Date.parse(from) - 2 * 86_400_000).toISOString();
    await addDeliveries(endpoint.id, dayBefore, new Date(Date.parse(to) + 3 * 86_400_000).toISOString());
    const rows = await readTimes(endpoint.id);
    const localDay = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
    const { json } = await get(
      `/api/webhooks/series?from=${from}&to=${to}&time_zone=${zone}&interval=day`,
      token,
    );
    const body: Body = json.data;
    expect(body.starts.map((start) => localDay.format(new Date(start)))).toEqual(listDays(from, to));
    for (const [line, state] of [
      ["delivered", "delivered"],
      ["failed", "failed"],
    ] as const) {
      const byHand = listDays(from, to).map(
        (day) => rows.filter((row) => row.state === state && localDay.format(row.at) === day).length,
      );
      expect(body.lines.find(({ key }) => key === line)).toMatchObject({
        values: byHand,
        total: byHand.reduce((sum, value) => sum + value, 0),
      });
    }
  });
});

it("counts 23 hours and 25 hours on the days when the clocks change", async () => {
  const { token } = await makeReceiver();
  for (const [day, count] of [
    ["2026-03-08", 23],
    ["2026-11-01", 25],
    ["2026-06-01", 24],
  ] as const) {
    const { json } = await get(
      `/api/webhooks/series?from=${day}&to=${day}&time_zone=America/New_York&interval=hour`,
      token,
    );
    expect(json.data.starts, day).toHaveLength(count);
  }
});

it("starts hours at full local hours, also with an offset of 5:45", async () => {
  const { token } = await makeReceiver();
  const { json } = await get("/api/webhooks/series?period=24h&time_zone=Asia/Kathmandu", token);
  for (const start of json.data.starts) expect(start).toMatch(/T\d\d:15:00/);
});

it("compares with the period before, up to the same time of its last day", async () => {
  const { endpoint, token } = await makeReceiver();
  await addDeliveries(
    endpoint.id,
    new Date(Date.now() - 16 * 86_400_000).toISOString(),
    new Date().toISOString(),
  );
  const { json } = await get("/api/webhooks/series?period=7d&compare=previous&time_zone=UTC", token);
  const [delivered] = (json.data as Body).lines;
  expect(delivered!.previous_values).toHaveLength(7);
  expect(delivered!.previous_total).toBe(delivered!.previous_values!.reduce((sum, value) => sum + value, 0));
  // Deliveries come every 20 minutes, so both periods have the same number, give or take the current one.
  expect(Math.abs(delivered!.previous_total! - delivered!.total)).toBeLessThanOrEqual(2);
});

it("compares four weeks in progress with the same part of the four weeks before", async () => {
  const { endpoint, token } = await makeReceiver();
  const now = new Date();
  const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
  const from = toDay(now.getTime() - 9 * 86_400_000);
  const to = toDay(now.getTime() + 18 * 86_400_000);
  // From a full hour: the minute decides which deliveries have failed.
  const hour = now.getTime() - (now.getTime() % 3_600_000);
  await addDeliveries(endpoint.id, new Date(hour - 60 * 86_400_000).toISOString(), now.toISOString());
  const { json } = await get(
    `/api/webhooks/series?from=${from}&to=${to}&compare=previous&time_zone=UTC`,
    token,
  );
  const [delivered] = (json.data as Body).lines;
  expect(Math.abs(delivered!.previous_total! - delivered!.total)).toBeLessThanOrEqual(2);
  expect(delivered!.previous_values!.at(-1)).toBe(48);
  expect(delivered!.values.at(-1)).toBe(0);
});

it("rejects a half period, a period that ends before it begins, an unknown zone and too many values", async () => {
  const { token } = await makeReceiver();
  for (const [query, field] of [
    ["from=2026-03-01", "to"],
    ["to=2026-03-01", "from"],
    ["from=2026-03-02&to=2026-03-01", "to"],
    ["time_zone=Mars/Olympus", "time_zone"],
    ["from=2026-01-01&to=2026-03-01&interval=hour", "interval"],
    ["from=0001-01-01&to=9999-12-31", "interval"],
  ] as const) {
    const { status, json } = await get(`/api/webhooks/series?${query}`, token);
    expect([query, status, Object.keys(json.errors ?? {})]).toEqual([query, 422, [field]]);
  }
});

it("accepts both names of a renamed time zone", async () => {
  const { token } = await makeReceiver();
  for (const zone of ["Europe/Kyiv", "Europe/Kiev", "Asia/Calcutta"])
    expect((await get(`/api/webhooks/series?time_zone=${zone}`, token)).status, zone).toBe(200);
});

it("counts only the caller's webhooks", async () => {
  const [one, other] = [await makeReceiver(), await makeReceiver()];
  await addDeliveries(
    other.endpoint.id,
    new Date(Date.now() - 3_600_000).toISOString(),
    new Date().toISOString(),
  );
  const { json } = await get("/api/webhooks/series", one.token);
  expect((json.data as Body).lines.map(({ total }) => total)).toEqual([0, 0, 0, 0]);
  expect((await get(`/api/webhooks/series?webhook_id=${other.endpoint.id}`, one.token)).status).toBe(403);
});

function listDays(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * 86_400_000).toISOString().slice(0, 10),
  );
}
