import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MANDATORY_CONSENTS_EXAMPLE } from "@/server/domains/accounts/consents/contract";
import { BENCH_PASSWORD, getEmail } from "../data";
import { nextIpAddress } from "../load";

export interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own body
  body: any;
}

/** Sends a call from a unique client address. */
export async function sendApiRequest(
  url: string,
  {
    method = "GET",
    token,
    body,
    file,
  }: { method?: string; token?: string; body?: object; file?: Uint8Array<ArrayBuffer> } = {},
): Promise<ApiResponse> {
  let content: string | FormData | undefined = body && JSON.stringify(body);
  if (file) {
    content = new FormData();
    content.set("file", new Blob([file]), "drill.jpg");
  }
  const response = await fetch(url, {
    method,
    headers: {
      accept: "application/json",
      "x-forwarded-for": nextIpAddress(),
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

export type CallKind = "read" | "sign-in" | "site" | "registration" | "upload";

export class DrillLoad {
  private isRunning = true;
  private clients: Array<Promise<void>> = [];
  private turn = 0;
  /** Responses since {@link resetCounts}, by kind and by status or error. */
  tally: Partial<Record<CallKind, Record<string, number>>> = {};
  /** Times of the last success and the last failure. */
  readonly lastOutcomes = {} as Record<CallKind, { good: number; bad: number }>;
  failures: string[] = [];
  slowestMs = 0;
  readonly acknowledgedWrites = {
    siteDomains: [] as string[],
    addresses: [] as string[],
    mediaUrls: [] as string[],
  };

  constructor(
    private readonly url: string,
    private readonly tokens: string[],
  ) {}

  start({ includesUploads }: { includesUploads: boolean }): void {
    const clients: Array<[kind: CallKind, clientCount: number, pauseMs: number]> = [
      ["read", 4, 15],
      ["site", 2, 40],
      ["sign-in", 1, 80],
      ["registration", 1, 150],
      ["upload", 1, 250],
    ];
    for (const [kind, clientCount, pauseMs] of clients.filter(
      ([kind]) => includesUploads || kind !== "upload",
    ))
      for (let index = 0; index < clientCount; index++) this.clients.push(this.runClient(kind, pauseMs));
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.clients);
  }

  resetCounts(): void {
    this.tally = {};
    this.failures = [];
    this.slowestMs = 0;
  }

  get requestCount(): number {
    return this.countResponses(() => true);
  }

  get failedCount(): number {
    return this.countResponses((status) => !status.startsWith("2"));
  }

  private countResponses(matches: (status: string) => boolean): number {
    return Object.values(this.tally)
      .flatMap((counts) => Object.entries(counts))
      .reduce((sum, [status, count]) => sum + (matches(status) ? count : 0), 0);
  }

  private async runClient(kind: CallKind, pauseMs: number): Promise<void> {
    while (this.isRunning) {
      const sentAt = performance.now();
      const outcome = await this.sendCall(kind).catch((error: Error) => ({
        status: (error.cause as { code?: string } | undefined)?.code ?? error.name,
        body: error.message,
      }));
      this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
      const isOk = typeof outcome.status === "number" && outcome.status < 300;
      this.tally[kind] ??= {};
      this.tally[kind][outcome.status] = (this.tally[kind][outcome.status] ?? 0) + 1;
      if (!isOk && this.failures.length < 5)
        this.failures.push(`${kind} ${outcome.status} ${JSON.stringify(outcome.body)?.slice(0, 200)}`);
      this.lastOutcomes[kind] = {
        ...{ good: 0, bad: 0 },
        ...this.lastOutcomes[kind],
        [isOk ? "good" : "bad"]: Date.now(),
      };
      await sleep(pauseMs);
    }
  }

  private async sendCall(kind: CallKind): Promise<ApiResponse> {
    const index = this.turn++;
    const token = this.tokens[index % this.tokens.length]!;
    if (kind === "read") return sendApiRequest(`${this.url}/api/auth/user`, { token });
    if (kind === "sign-in") {
      const body = { email: getEmail(1 + (index % this.tokens.length)), password: BENCH_PASSWORD };
      return sendApiRequest(`${this.url}/api/auth/login`, { method: "POST", body });
    }
    if (kind === "site") {
      const domain = `drill-${index}.example.com`;
      const response = await sendApiRequest(`${this.url}/api/sites`, {
        method: "POST",
        token,
        body: { name: "Drill", domain },
      });
      if (response.status === 201) this.acknowledgedWrites.siteDomains.push(domain);
      return response;
    }
    if (kind === "upload") {
      const response = await sendApiRequest(`${this.url}/api/media/upload`, {
        method: "POST",
        token,
        file: PICTURE,
      });
      if (response.status === 201) this.acknowledgedWrites.mediaUrls.push(response.body.url);
      return response;
    }
    const email = `drill-${index}@example.com`;
    const response = await sendApiRequest(`${this.url}/api/auth/register`, {
      method: "POST",
      body: buildRegistrationBody(email),
    });
    if (response.status === 201) this.acknowledgedWrites.addresses.push(email);
    return response;
  }
}

export const buildRegistrationBody = (email: string) => ({
  name: "Ayşe Kaya",
  email,
  phone: "+905321112233",
  password: "the-drill-of-an-operator",
  password_confirmation: "the-drill-of-an-operator",
  consents: MANDATORY_CONSENTS_EXAMPLE,
});
