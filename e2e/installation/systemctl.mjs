#!/usr/bin/env node
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/* Replaces systemctl, because systemd cannot run in a namespace. Debian's services use their own programs. */
const UNIT_FOLDER = "/etc/systemd/system";
const STATE_FOLDER = "/run/units";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const DEBIAN_SERVICES = {
  nginx: { start: ["sh", "-c", "[ -e /run/nginx.pid ] || nginx"], reload: ["nginx", "-s", "reload"] },
  postgresql: {
    start: ["sh", "-c", 'pg_lsclusters | grep -q online || pg_ctlcluster "$(ls /etc/postgresql)" main start'],
    reload: ["sh", "-c", 'pg_ctlcluster "$(ls /etc/postgresql)" main reload'],
  },
};

mkdirSync(STATE_FOLDER, { recursive: true });
const [verb, ...restArgs] = process.argv.slice(2);
const isNow = restArgs.includes("--now");
const names = restArgs.filter((word) => !word.startsWith("-"));
if (verb === "daemon-reload") process.exit(0);
if (verb === "list-units") {
  const isMatch = (name) => names.some((pattern) => name.startsWith(pattern.replace(/\*$/, "")));
  for (const name of readdirSync(STATE_FOLDER).flatMap((file) => /^(.*)\.pid$/.exec(file)?.[1] ?? []))
    if (isMatch(name) && isRunning(name)) process.stdout.write(`${name} loaded active running\n`);
  process.exit(0);
}
for (const name of names) await actOnUnit(name.includes(".") ? name : `${name}.service`);

async function actOnUnit(name) {
  const debianService = DEBIAN_SERVICES[name.replace(".service", "")];
  if (debianService) return runOrExit(debianService[verb === "enable" ? "start" : verb]);
  const unit = readUnit(name);
  if (verb === "enable" && !unit.Install) throw new Error(`${name} has no [Install]`);
  if (name.endsWith(".timer")) return;
  if (verb === "stop" || verb === "restart") await stop(name, unit.Service);
  if (verb === "start" || verb === "restart" || (verb === "enable" && isNow)) await start(name, unit.Service);
}

function readUnit(name) {
  const [, stem, instance = "", type] = /^([^@.]+)(?:@([^.]*))?(\.\w+)$/.exec(name);
  const file = join(UNIT_FOLDER, instance ? `${stem}@${type}` : name);
  const sections = {};
  let section;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1];
    if (heading) {
      section = sections[heading] = {};
      continue;
    }
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (!key) continue;
    section[key] ??= [];
    section[key].push(value.replaceAll("%i", instance).replaceAll("%%", "%"));
  }
  return sections;
}

async function start(name, service) {
  if (isRunning(name)) return;
  const log = openSync(join(STATE_FOLDER, `${name}.log`), "a");
  const [command] = service.ExecStart;
  if (service.Type?.[0] === "oneshot") {
    for (const each of [command, ...(service.ExecStartPost ?? [])])
      runOrExit(buildCommand(each, service), log);
    return;
  }
  const [program, ...args] = buildCommand(command, service);
  const child = spawn(program, args, { detached: true, stdio: ["ignore", log, log] });
  writeFileSync(join(STATE_FOLDER, `${name}.pid`), String(child.pid));
  child.unref();
  closeSync(log);
  for (const each of service.ExecStartPost ?? []) runOrExit(buildCommand(each, service));
}

/** KillMode=mixed: signals the main process, and kills the group after TimeoutStopSec. */
async function stop(name, { TimeoutStopSec: [seconds] = [90] }) {
  if (!isRunning(name)) return;
  const pid = readPid(name);
  process.kill(pid, "SIGTERM");
  for (const deadline = Date.now() + seconds * 1000; isRunning(name); await sleep(50))
    if (Date.now() > deadline) process.kill(-pid, "SIGKILL");
  rmSync(join(STATE_FOLDER, `${name}.pid`));
}

function buildCommand(command, service) {
  const getFirst = (key) => service[key]?.[0];
  const user = getFirst("User") ?? "root";
  const [, , , , , home, shell] = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === user);
  const environment = {
    ...(existsSync("/etc/machine-environment") &&
      JSON.parse(readFileSync("/etc/machine-environment", "utf8"))),
    PATH,
    LANG: "C.UTF-8",
    ...(user !== "root" && { HOME: home, USER: user, LOGNAME: user, SHELL: shell }),
    ...Object.fromEntries((getFirst("Environment")?.split(" ") ?? []).map((each) => each.split("="))),
  };
  const mounts = ["mount --make-rprivate /"];
  for (const path of getFirst("ReadWritePaths")?.split(" ") ?? [])
    mounts.push(`mount --bind ${path} ${path}`);
  if (getFirst("PrivateTmp")) mounts.push("mount -t tmpfs -o mode=1777 tmp /tmp");
  if (getFirst("ProtectSystem") === "strict")
    mounts.push("mount -o remount,bind,ro /srv", "mount -o remount,bind,ro /");
  const limits = getFirst("LimitNOFILE")
    ? ["prlimit", `--nofile=${limitOpenFiles(getFirst("LimitNOFILE"))}`]
    : [];
  const identity =
    user === "root"
      ? []
      : [
          "setpriv",
          "--reuid",
          user,
          "--regid",
          user,
          "--init-groups",
          ...(getFirst("NoNewPrivileges") ? ["--no-new-privs"] : []),
        ];
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const inner = `${mounts.join(" && ")} && cd "$0" && exec "$@"`;
  return [
    ...["unshare", "--mount", "--", "sh", "-c", inner, getFirst("WorkingDirectory") ?? "/"],
    ...[...limits, "env", "-i", ...variables, ...identity, ...splitWords(command)],
  ];
}

function limitOpenFiles(requested) {
  const [, max] = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Math.min(requested, max ?? requested);
}

function splitWords(command) {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare,
  );
}

function runOrExit([program, ...args], log = "inherit") {
  const { status } = spawnSync(program, args, { stdio: ["ignore", log, log] });
  if (status === 0) return;
  process.stderr.write(`${program} ${args.join(" ")} exited with ${status}\n`);
  process.exit(1);
}

function readPid(name) {
  const file = join(STATE_FOLDER, `${name}.pid`);
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
}

function isRunning(name) {
  const pid = readPid(name);
  try {
    return pid !== undefined && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
