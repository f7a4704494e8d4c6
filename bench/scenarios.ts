import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { authenticator } from "@/server/domains/access/two-factor/service/verify";
import { ACCOUNTS, emailOf, fillSecondFactors, LISTING_ACCOUNTS, PASSWORD } from "./data";
import { ask, type Call, call, inTurns } from "./load";
import { compare, type Figures, median, ratio } from "./measure";
import { familyMemory, pagesOf, residentMemory } from "./processes";
import { onServerCore, type Server, serverEnv } from "./servers";
import { short } from "./table";

interface Three {
  frontDoor: Server;
  next: Server;
  handWritten: Server;
  /** One token of each account. */
  tokens: string[];
}

const PLAN = { rounds: 5, seconds: 5, connections: 16 };

type Row = string[];

/** The calls of {@link tokenRead}. */
export function tokenReads(tokens: string[]): () => Call {
  return readsOf("/api/auth/user", tokens.slice(LISTING_ACCOUNTS, LISTING_ACCOUNTS + 3000));
}

/** GET /api/auth/user of accounts with two sites. */
export async function tokenRead({ tokens, ...servers }: Three): Promise<Row[]> {
  return reads("token read", servers, tokenReads(tokens), { next: 10, handWritten: 1 });
}

/** GET /api/sites of accounts with twenty sites. */
export async function siteList({ tokens, ...servers }: Three): Promise<Row[]> {
  const calls = readsOf("/api/sites", tokens.slice(0, LISTING_ACCOUNTS));
  return reads("list of 20 sites", servers, calls, { next: 6, handWritten: 1.1 });
}

/** POST /api/sites into a free slot, each time for another account. */
export async function siteCreation({ frontDoor, handWritten, tokens }: Three): Promise<Row[]> {
  const next = inTurns(tokens, (token) =>
    call("POST", "/api/sites", {
      token,
      body: { name: "A new site", domain: `${randomBytes(6).toString("hex")}.example.com` },
    }),
  );
  const [ours, theirs] = await compare(
    [frontDoor, handWritten].map((server) => ({ server, next })),
    PLAN,
  );
  return [
    row("site creation", "front door", ours!, { name: "hand-written", figures: theirs!, target: 1.3 }),
    row("site creation", "hand-written", theirs!),
  ];
}

/** POST /api/auth/login, each time for another account from another address. */
export function signIns(): () => Call {
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => emailOf(index + 1));
  return inTurns(accounts, (email) =>
    call("POST", "/api/auth/login", { body: { email, password: PASSWORD } }),
  );
}

/** The calls of {@link signIns}, and the hashing alone. */
export async function signIn({ tokens: _, ...servers }: Three): Promise<Row[]> {
  const next = signIns();
  const plan = { rounds: 5, seconds: 5, connections: 8 };
  const order = [servers.frontDoor, servers.next, servers.handWritten];
  const [ours, byNext, theirs] = await compare(
    order.map((server) => ({ server, next })),
    plan,
  );
  const bare = await bareHashing(3);
  return [
    row("sign-in", "front door", ours!, { name: "hand-written", figures: theirs!, target: 0.9 }),
    row("sign-in", "next start", byNext!, { name: "hand-written", figures: theirs! }),
    row("sign-in", "hand-written", theirs!),
    ["Argon2id alone", "", short(bare), short(1e6 / bare), "", "", "", "", ""],
  ];
}

/** The list again, with ten thousand and with a million sites in the table. */
export async function sitesGrow({
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
  const slower = ratio(few!.perSecond, many!.perSecond);
  return [
    row("list, 10 thousand sites", "front door", few!),
    [
      ...row("list, 1 million sites", "front door", many!).slice(0, 4),
      "10 thousand",
      `1 / ${slower.toFixed(2)}`,
      ratio(many!.cpu, few!.cpu).toFixed(2),
      "1 / 1.2",
      slower <= 1.2 ? "yes" : "no",
    ],
  ];
}

/**
 * POST /api/auth/2fa/challenge, each time for another pending sign-in: the cost of the second step next to the first.
 */
export async function secondStep(server: Server, url: string): Promise<Row[]> {
  const { seed, waiting } = await fillSecondFactors(url);
  const next = inTurns(waiting, (interim_token) =>
    call("POST", "/api/auth/2fa/challenge", {
      body: { interim_token, method: "totp", code: authenticator(seed).generate() },
    }),
  );
  const [ours] = await compare([{ server, next }], { rounds: 5, seconds: 1, connections: 8 });
  return [row("sign-in, second step", "front door", ours!)];
}

/** Memory of the processes after all scenarios and 300 views of pages. */
export async function memory({ pid, port }: Server, postmaster: number): Promise<Row[]> {
  for (let view = 0; view < 300; view++)
    await ask(port, call("GET", ["/sign-in", "/sign-up", "/forgot-password", "/docs"][view % 4]!, {}));
  const server = residentMemory(pid);
  const pages = residentMemory(pagesOf(pid) ?? 0);
  const line = (name: string, megabytes: number | undefined, limit?: number) => [
    ...[name, "", megabytes ? `${short(megabytes)} MB` : "", "", "", "", ""],
    ...(limit && megabytes ? [`${limit} MB`, megabytes < limit ? "yes" : "no"] : ["", ""]),
  ];
  return [
    line("memory, front door", server, 400),
    line("memory, front door and pages", server && pages && server + pages, 700),
    line("memory, database", familyMemory(postmaster)),
  ];
}

async function reads(
  name: string,
  { frontDoor, next, handWritten }: Omit<Three, "tokens">,
  calls: () => Call,
  target: { next: number; handWritten: number },
): Promise<Row[]> {
  const order = [frontDoor, next, handWritten];
  await sameResponses(order, calls());
  const [ours, byNext, theirs] = await compare(
    order.map((server) => ({ server, next: calls })),
    PLAN,
  );
  return [
    row(name, "front door", ours!, { name: "hand-written", figures: theirs!, target: target.handWritten }),
    row(name, "", ours!, { name: "next start", figures: byNext!, target: target.next }),
    row(name, "next start", byNext!),
    row(name, "hand-written", theirs!),
  ];
}

/** The comparison is fair only while all servers return the same. */
async function sameResponses(servers: Server[], request: Call): Promise<void> {
  const responses = await Promise.all(servers.map(({ port }) => ask(port, request)));
  for (const [index, { body }] of responses.entries())
    if (body !== responses[0]!.body) throw new Error(`${servers[index]!.name} answers differently: ${body}`);
}

/** Returns requests that are written once, in turns. */
function readsOf(path: string, tokens: string[]): () => Call {
  const calls = tokens.map((token) => call("GET", path, { token }));
  return inTurns(calls, (one) => one);
}

function row(
  name: string,
  server: string,
  { perSecond, cpu }: Figures,
  against?: { name: string; figures: Figures; target?: number },
): Row {
  const figures = [name, server, short(median(perSecond)), short(median(cpu))];
  if (!against) return [...figures, "", "", "", "", ""];
  const { target } = against;
  const found = ratio(against.figures.cpu, cpu);
  const judged = target === undefined ? ["", ""] : [String(target), found >= target ? "yes" : "no"];
  const perSecondRatio = ratio(perSecond, against.figures.perSecond);
  return [...figures, against.name, perSecondRatio.toFixed(2), found.toFixed(2), ...judged];
}

/** Verifications a second without any server, in a separate process. */
async function bareHashing(seconds: number): Promise<number> {
  const program = ["--import", "tsx", "bench/bare-hashing.ts", String(seconds)];
  const [command, args] = onServerCore(program);
  const { stdout } = await promisify(execFile)(command, args, {
    env: serverEnv({ TSX_TSCONFIG_PATH: "tsconfig.node.json" }),
  });
  return Number(stdout);
}
