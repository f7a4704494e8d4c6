import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MANDATORY_GIVEN } from "@/server/domains/accounts/consents/contract";
import { emailOf, PASSWORD } from "../data";
import { address } from "../load";

/* What people do while parts are stopped and killed, and what they were told was done. */

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own
  body: any;
}

/** A call from an address of its own, as a proxy before nginx would report it. */
export async function send(
  url: string,
  {
    method = "GET",
    token,
    body,
    file,
  }: { method?: string; token?: string; body?: object; file?: Uint8Array<ArrayBuffer> } = {},
): Promise<Answer> {
  let content: string | FormData | undefined = body && JSON.stringify(body);
  if (file) {
    content = new FormData();
    content.set("file", new Blob([file]), "drill.jpg");
  }
  const response = await fetch(url, {
    method,
    headers: {
      accept: "application/json",
      "x-forwarded-for": address(),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
    },
    body: content,
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

export const PICTURE = Uint8Array.from(readFileSync("server/testing/media/photo.jpg"));

export type Kind = "read" | "sign-in" | "site" | "registration" | "upload";

/** Clients that go on until they are told to stop. Each answer is counted by its kind and status, or error. */
export class Load {
  private on = true;
  private clients: Array<Promise<void>> = [];
  private turn = 0;
  /** By kind, the answers since {@link fresh}. */
  tally: Partial<Record<Kind, Record<string, number>>> = {};
  /** When each kind was answered as it should be the last time, and when it was not. */
  readonly seen = {} as Record<Kind, { good: number; bad: number }>;
  /** Text of the first answers that were refused. */
  failures: string[] = [];
  /** Milliseconds of the longest call since {@link fresh}. */
  slowest = 0;
  readonly acknowledged = { sites: [] as string[], addresses: [] as string[], media: [] as string[] };

  constructor(
    private readonly url: string,
    private readonly tokens: string[],
  ) {}

  /** Without uploads where the release does not know them. */
  start({ uploads }: { uploads: boolean }): void {
    const clients: Array<[Kind, number, number]> = [
      ["read", 4, 15],
      ["site", 2, 40],
      ["sign-in", 1, 80],
      ["registration", 1, 150],
      ["upload", 1, 250],
    ];
    for (const [kind, count, pause] of clients.filter(([kind]) => uploads || kind !== "upload"))
      for (let index = 0; index < count; index++) this.clients.push(this.client(kind, pause));
  }

  /** Resolves when the last answer is there. */
  async stop(): Promise<void> {
    this.on = false;
    await Promise.all(this.clients);
  }

  fresh(): void {
    this.tally = {};
    this.failures = [];
    this.slowest = 0;
  }

  get requests(): number {
    return this.sum(() => true);
  }

  get failed(): number {
    return this.sum((status) => !status.startsWith("2"));
  }

  private sum(counts: (status: string) => boolean): number {
    return Object.values(this.tally)
      .flatMap((each) => Object.entries(each))
      .reduce((sum, [status, count]) => sum + (counts(status) ? count : 0), 0);
  }

  private async client(kind: Kind, pause: number): Promise<void> {
    while (this.on) {
      const sentAt = performance.now();
      const outcome = await this.step(kind).catch((error: Error) => ({
        status: (error.cause as { code?: string } | undefined)?.code ?? error.name,
        body: error.message,
      }));
      this.slowest = Math.max(this.slowest, performance.now() - sentAt);
      const good = typeof outcome.status === "number" && outcome.status < 300;
      this.tally[kind] ??= {};
      this.tally[kind][outcome.status] = (this.tally[kind][outcome.status] ?? 0) + 1;
      if (!good && this.failures.length < 5)
        this.failures.push(`${kind} ${outcome.status} ${JSON.stringify(outcome.body)?.slice(0, 200)}`);
      this.seen[kind] = { ...{ good: 0, bad: 0 }, ...this.seen[kind], [good ? "good" : "bad"]: Date.now() };
      await sleep(pause);
    }
  }

  private async step(kind: Kind): Promise<Answer> {
    const number = this.turn++;
    const token = this.tokens[number % this.tokens.length]!;
    if (kind === "read") return send(`${this.url}/api/auth/user`, { token });
    if (kind === "sign-in") {
      const body = { email: emailOf(1 + (number % this.tokens.length)), password: PASSWORD };
      return send(`${this.url}/api/auth/login`, { method: "POST", body });
    }
    if (kind === "site") {
      const domain = `drill-${number}.example.com`;
      const answer = await send(`${this.url}/api/sites`, {
        method: "POST",
        token,
        body: { name: "Drill", domain },
      });
      if (answer.status === 201) this.acknowledged.sites.push(domain);
      return answer;
    }
    if (kind === "upload") {
      const answer = await send(`${this.url}/api/media/upload`, { method: "POST", token, file: PICTURE });
      if (answer.status === 201) this.acknowledged.media.push(answer.body.url);
      return answer;
    }
    const email = `drill-${number}@example.com`;
    const answer = await send(`${this.url}/api/auth/register`, { method: "POST", body: newPerson(email) });
    if (answer.status === 201) this.acknowledged.addresses.push(email);
    return answer;
  }
}

export const newPerson = (email: string) => ({
  name: "Ayşe Kaya",
  email,
  phone: "+905321112233",
  password: "the-drill-of-an-operator",
  password_confirmation: "the-drill-of-an-operator",
  consents: MANDATORY_GIVEN,
});
