import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { createTotp } from "@/server/domains/access/two-factor/service/consume-code";
import { ACCOUNT_COUNT, BENCH_PASSWORD, fillSecondFactors, getEmail, LISTING_ACCOUNT_COUNT } from "./data";
import { buildRequest, createRotation, type RequestText, sendRequest } from "./load";
import { compareContenders, type Figures, median, medianRatio } from "./measure";
import { findPagesProcess, readProcessTreeMegabytes, readResidentMegabytes } from "./processes";
import { buildServerEnv, pinToServerCore, type Server } from "./servers";
import { formatNumber } from "./table";

interface BenchServers {
  httpServer: Server;
  next: Server;
  handWritten: Server;
  /** One per account, ordered by id. */
  tokens: string[];
}

const MEASUREMENT_PLAN = { rounds: 5, seconds: 5, connections: 16 };

type Row = string[];

export function createTokenReads(tokens: string[]): () => RequestText {
  return createReads("/api/auth/user", tokens.slice(LISTING_ACCOUNT_COUNT, LISTING_ACCOUNT_COUNT + 3000));
}

export async function measureTokenRead({ tokens, ...servers }: BenchServers): Promise<Row[]> {
  return measureReads("token read", servers, createTokenReads(tokens), { next: 10, handWritten: 1 });
}

export async function measureSiteList({ tokens, ...servers }: BenchServers): Promise<Row[]> {
  const nextRead = createReads("/api/sites", tokens.slice(0, LISTING_ACCOUNT_COUNT));
  return measureReads("list of 20 sites", servers, nextRead, { next: 6, handWritten: 1.1 });
}

export async function measureSiteCreation({ httpServer, handWritten, tokens }: BenchServers): Promise<Row[]> {
  const nextRequest = createRotation(tokens, (token) =>
    buildRequest("POST", "/api/sites", {
      token,
      body: { name: "A new site", domain: `${randomBytes(6).toString("hex")}.example.com` },
    }),
  );
  const [ourFigures, handWrittenFigures] = await compareContenders(
    [httpServer, handWritten].map((server) => ({ server, nextRequest })),
    MEASUREMENT_PLAN,
  );
  return [
    buildRow("site creation", "HTTP server", ourFigures!, {
      name: "hand-written",
      figures: handWrittenFigures!,
      target: 1.3,
    }),
    buildRow("site creation", "hand-written", handWrittenFigures!),
  ];
}

/** Returns calls of POST /api/auth/login, each for a different account from a different address. */
export function createSignIns(): () => RequestText {
  const accounts = Array.from({ length: ACCOUNT_COUNT }, (_, index) => getEmail(index + 1));
  return createRotation(accounts, (email) =>
    buildRequest("POST", "/api/auth/login", { body: { email, password: BENCH_PASSWORD } }),
  );
}

export async function measureSignIn({ tokens: _, ...servers }: BenchServers): Promise<Row[]> {
  const nextRequest = createSignIns();
  const plan = { rounds: 5, seconds: 5, connections: 8 };
  const orderedServers = [servers.httpServer, servers.next, servers.handWritten];
  const [ourFigures, nextFigures, handWrittenFigures] = await compareContenders(
    orderedServers.map((server) => ({ server, nextRequest })),
    plan,
  );
  const hashesPerSecond = await measureBareHashing(3);
  return [
    buildRow("sign-in", "HTTP server", ourFigures!, {
      name: "hand-written",
      figures: handWrittenFigures!,
      target: 0.9,
    }),
    buildRow("sign-in", "next start", nextFigures!, { name: "hand-written", figures: handWrittenFigures! }),
    buildRow("sign-in", "hand-written", handWrittenFigures!),
    [
      "Argon2id alone",
      "",
      formatNumber(hashesPerSecond),
      formatNumber(1e6 / hashesPerSecond),
      "",
      "",
      "",
      "",
      "",
    ],
  ];
}

export async function measureSiteListGrowth({
  small,
  large,
  tokens,
}: {
  small: Server;
  large: Server;
  tokens: string[];
}): Promise<Row[]> {
  const nextRequest = createReads("/api/sites", tokens.slice(0, LISTING_ACCOUNT_COUNT));
  const [smallFigures, largeFigures] = await compareContenders(
    [small, large].map((server) => ({ server, nextRequest })),
    MEASUREMENT_PLAN,
  );
  const rateRatio = medianRatio(smallFigures!.perSecond, largeFigures!.perSecond);
  return [
    buildRow("list, 10 thousand sites", "HTTP server", smallFigures!),
    [
      ...buildRow("list, 1 million sites", "HTTP server", largeFigures!).slice(0, 4),
      "10 thousand",
      `1 / ${rateRatio.toFixed(2)}`,
      medianRatio(largeFigures!.cpu, smallFigures!.cpu).toFixed(2),
      "1 / 1.2",
      rateRatio <= 1.2 ? "yes" : "no",
    ],
  ];
}

export async function measureSecondFactorStep(server: Server, url: string): Promise<Row[]> {
  const { seed, interimTokens } = await fillSecondFactors(url);
  const nextRequest = createRotation(interimTokens, (interim_token) =>
    buildRequest("POST", "/api/auth/2fa/challenge", {
      body: { interim_token, method: "totp", code: createTotp(seed).generate() },
    }),
  );
  const [ourFigures] = await compareContenders([{ server, nextRequest }], {
    rounds: 5,
    seconds: 1,
    connections: 8,
  });
  return [buildRow("sign-in, second step", "HTTP server", ourFigures!)];
}

/** Measures the memory of the processes after all scenarios and 300 page views. */
export async function measureMemory({ pid, port }: Server, postgresPid: number): Promise<Row[]> {
  for (let view = 0; view < 300; view++)
    await sendRequest(
      port,
      buildRequest("GET", ["/sign-in", "/sign-up", "/forgot-password", "/docs"][view % 4]!, {}),
    );
  const server = readResidentMegabytes(pid);
  const pages = readResidentMegabytes(findPagesProcess(pid) ?? 0);
  const buildMemoryRow = (name: string, megabytes: number | undefined, limit?: number) => [
    ...[name, "", megabytes ? `${formatNumber(megabytes)} MB` : "", "", "", "", ""],
    ...(limit && megabytes ? [`${limit} MB`, megabytes < limit ? "yes" : "no"] : ["", ""]),
  ];
  return [
    buildMemoryRow("memory, HTTP server", server, 400),
    buildMemoryRow("memory, HTTP server and pages", server && pages && server + pages, 700),
    buildMemoryRow("memory, database", readProcessTreeMegabytes(postgresPid)),
  ];
}

async function measureReads(
  name: string,
  { httpServer, next, handWritten }: Omit<BenchServers, "tokens">,
  nextRequest: () => RequestText,
  target: { next: number; handWritten: number },
): Promise<Row[]> {
  const servers = [httpServer, next, handWritten];
  await requireSameBodies(servers, nextRequest());
  const [ourFigures, nextFigures, handWrittenFigures] = await compareContenders(
    servers.map((server) => ({ server, nextRequest })),
    MEASUREMENT_PLAN,
  );
  return [
    buildRow(name, "HTTP server", ourFigures!, {
      name: "hand-written",
      figures: handWrittenFigures!,
      target: target.handWritten,
    }),
    buildRow(name, "", ourFigures!, { name: "next start", figures: nextFigures!, target: target.next }),
    buildRow(name, "next start", nextFigures!),
    buildRow(name, "hand-written", handWrittenFigures!),
  ];
}

/** Throws if the servers return different bodies: their comparison would be unfair. */
async function requireSameBodies(servers: Server[], request: RequestText): Promise<void> {
  const responses = await Promise.all(servers.map(({ port }) => sendRequest(port, request)));
  for (const [index, { body }] of responses.entries())
    if (body !== responses[0]!.body)
      throw new Error(`${servers[index]!.name} returns a different body: ${body}`);
}

function createReads(path: string, tokens: string[]): () => RequestText {
  const requests = tokens.map((token) => buildRequest("GET", path, { token }));
  return createRotation(requests, (request) => request);
}

function buildRow(
  name: string,
  server: string,
  { perSecond, cpu }: Figures,
  baseline?: { name: string; figures: Figures; target?: number },
): Row {
  const cells = [name, server, formatNumber(median(perSecond)), formatNumber(median(cpu))];
  if (!baseline) return [...cells, "", "", "", "", ""];
  const { target } = baseline;
  const cpuRatio = medianRatio(baseline.figures.cpu, cpu);
  const targetCells = target === undefined ? ["", ""] : [String(target), cpuRatio >= target ? "yes" : "no"];
  const perSecondRatio = medianRatio(perSecond, baseline.figures.perSecond);
  return [...cells, baseline.name, perSecondRatio.toFixed(2), cpuRatio.toFixed(2), ...targetCells];
}

async function measureBareHashing(seconds: number): Promise<number> {
  const program = ["--import", "tsx", "bench/bare-hashing.ts", String(seconds)];
  const [command, args] = pinToServerCore(program);
  const { stdout } = await promisify(execFile)(command, args, {
    env: buildServerEnv({ TSX_TSCONFIG_PATH: "tsconfig.node.json" }),
  });
  return Number(stdout);
}
