import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkEnvironment, fail, printStep, root } from "./lib/steps.mjs";

/*
 * Follows the README on a free port with a temporary data directory: `npm start`, the curl commands, Ctrl+C.
 * `.ci/run` runs it first, in a clone without packages. Needs Linux, bash and curl.
 */
const START_MINUTES = 15;
const STOP_SECONDS = 30;

checkEnvironment();
const port = await findFreePort();
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
const exitPromise = new Promise((resolve) => server.on("close", resolve));
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
  await runPart("newcomer: npm start until it serves", waitForStart);
  await runPart("newcomer: the README's main job", runReadmeCommands);
  await runPart("newcomer: Ctrl+C until every process has ended", stopServer);
} catch (error) {
  signalGroup("SIGKILL");
  fail(`${output}\n${error.message}`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function runPart(name, work) {
  const startedAt = performance.now();
  await work();
  printStep(name, startedAt);
}

async function waitForStart() {
  const deadline = Date.now() + START_MINUTES * 60_000;
  while (!output.includes(`serves ${address}`)) {
    const result = server.exitCode ?? server.signalCode;
    if (result !== null) throw new Error(`npm start ended with ${result}.`);
    if (Date.now() > deadline) throw new Error(`npm start does not serve after ${START_MINUTES} minutes.`);
    await sleep(200);
  }
}

function runReadmeCommands() {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const block = /^## The main job, with curl\n+```sh\n(.*?)^```/ms.exec(readme)?.[1];
  if (!block) throw new Error("README.md has no block of commands below `## The main job, with curl`.");
  const commands = block.replaceAll("http://localhost:3000", address);
  // Responses have no line break at their end: print one before each step.
  const { stdout, stderr } = spawnSync("bash", ["-ec", commands.replace(/^# \d/gm, "echo; $&")], {
    encoding: "utf8",
    timeout: 60_000,
  });
  const responses = stdout.split("\n").filter(Boolean).map(parseJson);
  const [registration, verification, siteCreation, siteList] = responses;
  const isExpected =
    responses.length === 4 &&
    registration.user?.email === "ayse@example.com" &&
    verification.email_verified_at &&
    siteCreation.billing?.mode === "subscription_slot" &&
    siteList.data?.some(({ id }) => id === siteCreation.site?.id);
  if (!isExpected) throw new Error(`The README's main job failed:\n${stdout}${stderr}`);
}

function parseJson(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

async function stopServer() {
  signalGroup("SIGINT");
  await Promise.race([exitPromise, sleep(STOP_SECONDS * 1000, undefined, { ref: false })]);
  // npm exits by the signal, so its exit code is not the server's.
  if (!output.includes('"event":"stopped"')) throw new Error("The server did not stop cleanly.");
  const leftovers = findProcesses(dataDir);
  if (leftovers.length > 0) throw new Error(`Still running after Ctrl+C:\n${leftovers.join("\n")}`);
}

function findProcesses(directory) {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => (readProcFile(pid, "cmdline") + readProcFile(pid, "environ")).includes(directory))
    .map((pid) => `${pid} ${readProcFile(pid, "cmdline").replaceAll("\0", " ")}`);
}

function readProcFile(pid, file) {
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
    // It has already exited.
  }
}

async function findFreePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
