import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { authenticator } from "@/server/domains/access/two-factor/service/verify";
import { ACCOUNTS, emailOf, fillSecondFactors, LISTING_ACCOUNTS, PASSWORD } from "./data";
import { type Call, call, rotate, sendRequest } from "./load";
import { compare, type Figures, median, ratio } from "./measure";
import { findPagesProcess, processTreeMemory, residentMemory } from "./processes";
import { commandOnServerCore, type Server, serverEnv } from "./servers";
import { formatNumber } from "./table";

interface Contenders {
  httpServer: Server;
  next: Server;
  handWritten: Server;
  /** One per account, ordered by id. */
  tokens: string[];
}

const PLAN = { rounds: 5, seconds: 5, connections: 16 };

type Row = string[];

export function tokenReads(tokens: string[]): () => Call {
  return readsOf("/api/auth/user", tokens.slice(LISTING_ACCOUNTS, LISTING_ACCOUNTS + 3000));
}

/** Measures GET /api/auth/user, for accounts with two sites. */
export async function tokenRead({ tokens, ...servers }: Contenders): Promise<Row[]> {
  return reads("token read", servers, tokenReads(tokens), { next: 10, handWritten: 1 });
}

/** Measures GET /api/sites, for accounts with twenty sites. */
export async function siteList({ tokens, ...servers }: Contenders): Promise<Row[]> {
  const calls = readsOf("/api/sites", tokens.slice(0, LISTING_ACCOUNTS));
  return reads("list of 20 sites", servers, calls, { next: 6, handWritten: 1.1 });
}

/** Measures POST /api/sites into a free slot, each time for a different account. */
export async function siteCreation({ httpServer, handWritten, tokens }: Contenders): Promise<Row[]> {
  const next = rotate(tokens, (token) =>
    call("POST", "/api/sites", {
      token,
      body: { name: "A new site", domain: `${randomBytes(6).toString("hex")}.example.com` },
    }),
  );
  const [ours, theirs] = await compare(
    [httpServer, handWritten].map((server) => ({ server, next })),
    PLAN,
  );
  return [
    row("site creation", "HTTP server", ours!, { name: "hand-written", figures: theirs!, target: 1.3 }),
    row("site creation", "hand-written", theirs!),
  ];
}

/** Returns calls of POST /api/auth/login, each for a different account from a different address. */
export function signIns(): () => Call {
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => emailOf(index + 1));
  return rotate(accounts, (email) =>
    call("POST", "/api/auth/login", { body: { email, password: PASSWORD } }),
  );
}

/** Measures the calls of {@link signIns}, and password hashing alone. */
export async function signIn({ tokens: _, ...servers }: Contenders): Promise<Row[]> {
  const next = signIns();
  const plan = { rounds: 5, seconds: 5, connections: 8 };
  const order = [servers.httpServer, servers.next, servers.handWritten];
  const [ours, byNext, theirs] = await compare(
    order.map((server) => ({ server, next })),
    plan,
  );
  const bare = await bareHashing(3);
  return [
    row("sign-in", "HTTP server", ours!, { name: "hand-written", figures: theirs!, target: 0.9 }),
    row("sign-in", "next start", byNext!, { name: "hand-written", figures: theirs! }),
    row("sign-in", "hand-written", theirs!),
    ["Argon2id alone", "", formatNumber(bare), formatNumber(1e6 / bare), "", "", "", "", ""],
  ];
}

export async function siteListGrowth({
  small,
  large,
  tokens,
}: {
  small: Server;
  large: Server;
  tokens: string[];
}): Promise<Row[]> {
  const next = readsOf("/api/sites", tokens.slice(0, LISTING_ACCOUNTS));
  const [few, many] = await compare(
    [small, large].map((server) => ({ server, next })),
    PLAN,
  );
  const rateRatio = ratio(few!.perSecond, many!.perSecond);
  return [
    row("list, 10 thousand sites", "HTTP server", few!),
    [
      ...row("list, 1 million sites", "HTTP server", many!).slice(0, 4),
      "10 thousand",
      `1 / ${rateRatio.toFixed(2)}`,
      ratio(many!.cpu, few!.cpu).toFixed(2),
      "1 / 1.2",
      rateRatio <= 1.2 ? "yes" : "no",
    ],
  ];
}

/** Measures POST /api/auth/2fa/challenge, each time for a different pending sign-in. */
export async function secondFactorStep(server: Server, url: string): Promise<Row[]> {
  const { seed, interimTokens } = await fillSecondFactors(url);
  const next = rotate(interimTokens, (interim_token) =>
    call("POST", "/api/auth/2fa/challenge", {
      body: { interim_token, method: "totp", code: authenticator(seed).generate() },
    }),
  );
  const [ours] = await compare([{ server, next }], { rounds: 5, seconds: 1, connections: 8 });
  return [row("sign-in, second step", "HTTP server", ours!)];
}

/** Measures the memory of the processes after all scenarios and 300 page views. */
export async function memory({ pid, port }: Server, postmaster: number): Promise<Row[]> {
  for (let view = 0; view < 300; view++)
    await sendRequest(
      port,
      call("GET", ["/sign-in", "/sign-up", "/forgot-password", "/docs"][view % 4]!, {}),
    );
  const server = residentMemory(pid);
  const pages = residentMemory(findPagesProcess(pid) ?? 0);
  const line = (name: string, megabytes: number | undefined, limit?: number) => [
    ...[name, "", megabytes ? `${formatNumber(megabytes)} MB` : "", "", "", "", ""],
    ...(limit && megabytes ? [`${limit} MB`, megabytes < limit ? "yes" : "no"] : ["", ""]),
  ];
  return [
    line("memory, HTTP server", server, 400),
    line("memory, HTTP server and pages", server && pages && server + pages, 700),
    line("memory, database", processTreeMemory(postmaster)),
  ];
}

async function reads(
  name: string,
  { httpServer, next, handWritten }: Omit<Contenders, "tokens">,
  calls: () => Call,
  target: { next: number; handWritten: number },
): Promise<Row[]> {
  const servers = [httpServer, next, handWritten];
  await requireSameBodies(servers, calls());
  const [ours, byNext, theirs] = await compare(
    servers.map((server) => ({ server, next: calls })),
    PLAN,
  );
  return [
    row(name, "HTTP server", ours!, { name: "hand-written", figures: theirs!, target: target.handWritten }),
    row(name, "", ours!, { name: "next start", figures: byNext!, target: target.next }),
    row(name, "next start", byNext!),
    row(name, "hand-written", theirs!),
  ];
}

/** Throws if the servers return different bodies: their comparison would be unfair. */
async function requireSameBodies(servers: Server[], request: Call): Promise<void> {
  const responses = await Promise.all(servers.map(({ port }) => sendRequest(port, request)));
  for (const [index, { body }] of responses.entries())
    if (body !== responses[0]!.body)
      throw new Error(`${servers[index]!.name} returns a different body: ${body}`);
}

/** Returns a function that rotates through requests, which are built only once. */
function readsOf(path: string, tokens: string[]): () => Call {
  const calls = tokens.map((token) => call("GET", path, { token }));
  return rotate(calls, (request) => request);
}

function row(
  name: string,
  server: string,
  { perSecond, cpu }: Figures,
  against?: { name: string; figures: Figures; target?: number },
): Row {
  const figures = [name, server, formatNumber(median(perSecond)), formatNumber(median(cpu))];
  if (!against) return [...figures, "", "", "", "", ""];
  const { target } = against;
  const cpuRatio = ratio(against.figures.cpu, cpu);
  const targetCells = target === undefined ? ["", ""] : [String(target), cpuRatio >= target ? "yes" : "no"];
  const perSecondRatio = ratio(perSecond, against.figures.perSecond);
  return [...figures, against.name, perSecondRatio.toFixed(2), cpuRatio.toFixed(2), ...targetCells];
}

async function bareHashing(seconds: number): Promise<number> {
  const program = ["--import", "tsx", "bench/bare-hashing.ts", String(seconds)];
  const [command, args] = commandOnServerCore(program);
  const { stdout } = await promisify(execFile)(command, args, {
    env: serverEnv({ TSX_TSCONFIG_PATH: "tsconfig.node.json" }),
  });
  return Number(stdout);
}
