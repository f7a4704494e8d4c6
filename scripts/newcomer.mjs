import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkEnvironment, fail, root, step } from "./lib/steps.mjs";

/*
 * Follows the README like a newcomer, on a free port and a temporary data directory: `npm start`, the main job with curl,
 * Ctrl+C. `.ci/run` runs it first, in a clone without packages. Needs Linux, bash and curl.
 */
const START_MINUTES = 15;
const STOP_SECONDS = 30;

checkEnvironment();
const port = await freePort();
const dataDir = mkdtempSync(join(tmpdir(), "tellal-newcomer-"));
const address = `http://localhost:${port}`;
let output = "";
const server = spawn("npm", ["start"], {
  cwd: root,
  // A process group, as in a terminal: Ctrl+C reaches npm, the launcher and the server.
  detached: true,
  stdio: ["ignore", "pipe", "pipe"],
  env: { ...process.env, PORT: String(port), APP_URL: address, DATA_DIR: dataDir },
});
const ended = new Promise((resolve) => server.on("close", resolve));
for (const stream of [server.stdout, server.stderr])
  stream.on("data", (chunk) => {
    output += chunk;
  });
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    signalGroup("SIGTERM");
    process.exit(1);
  });

try {
  await part("newcomer: npm start until it serves", start);
  await part("newcomer: the README's main job", mainJob);
  await part("newcomer: Ctrl+C until every process has ended", stop);
} catch (error) {
  signalGroup("SIGKILL");
  fail(`${output}\n${error.message}`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function part(name, work) {
  const startedAt = performance.now();
  await work();
  step(name, startedAt);
}

async function start() {
  const deadline = Date.now() + START_MINUTES * 60_000;
  while (!output.includes(`serves ${address}`)) {
    const result = server.exitCode ?? server.signalCode;
    if (result !== null) throw new Error(`npm start ended with ${result}.`);
    if (Date.now() > deadline) throw new Error(`npm start does not serve after ${START_MINUTES} minutes.`);
    await sleep(200);
  }
}

/** Runs the README's curl commands and checks the response of each. */
function mainJob() {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const block = /^## The main job, with curl\n+```sh\n(.*?)^```/ms.exec(readme)?.[1];
  if (!block) throw new Error("README.md has no block of commands below `## The main job, with curl`.");
  const commands = block.replaceAll("http://localhost:3000", address);
  // Responses have no line break at their end: print one before each step.
  const { stdout, stderr } = spawnSync("bash", ["-ec", commands.replace(/^# \d/gm, "echo; $&")], {
    encoding: "utf8",
    timeout: 60_000,
  });
  const responses = stdout.split("\n").filter(Boolean).map(parse);
  const [registered, verified, created, listed] = responses;
  const expected =
    responses.length === 4 &&
    registered.user?.email === "ayse@example.com" &&
    verified.email_verified_at &&
    created.billing?.mode === "subscription_slot" &&
    listed.data?.some(({ id }) => id === created.site?.id);
  if (!expected) throw new Error(`The README's main job failed:\n${stdout}${stderr}`);
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

async function stop() {
  signalGroup("SIGINT");
  await Promise.race([ended, sleep(STOP_SECONDS * 1000, undefined, { ref: false })]);
  // npm exits by the signal, so its exit code is not the server's.
  if (!output.includes('"event":"stopped"')) throw new Error("The server did not stop cleanly.");
  const leftovers = processesOf(dataDir);
  if (leftovers.length > 0) throw new Error(`Still running after Ctrl+C:\n${leftovers.join("\n")}`);
}

/** Returns the command lines of processes with the directory in their arguments or environment. */
function processesOf(directory) {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => (read(pid, "cmdline") + read(pid, "environ")).includes(directory))
    .map((pid) => `${pid} ${read(pid, "cmdline").replaceAll("\0", " ")}`);
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function signalGroup(signal) {
  try {
    process.kill(-server.pid, signal);
  } catch {
    // already gone
  }
}

async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
