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

/*
 * Stand-in for systemctl in a namespace, where systemd cannot run. Applies user, folder, environment, limits
 * and read-only file system of the unit files. Debian's services use Debian's own programs.
 */
const UNITS = "/etc/systemd/system";
const STATE = "/run/units";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const DEBIAN = {
  nginx: { start: ["sh", "-c", "[ -e /run/nginx.pid ] || nginx"], reload: ["nginx", "-s", "reload"] },
  postgresql: {
    start: ["sh", "-c", 'pg_lsclusters | grep -q online || pg_ctlcluster "$(ls /etc/postgresql)" main start'],
    reload: ["sh", "-c", 'pg_ctlcluster "$(ls /etc/postgresql)" main reload'],
  },
};

mkdirSync(STATE, { recursive: true });
const [verb, ...rest] = process.argv.slice(2);
const now = rest.includes("--now");
const names = rest.filter((word) => !word.startsWith("-"));
if (verb === "daemon-reload") process.exit(0);
if (verb === "list-units") {
  const isMatch = (name) => names.some((pattern) => name.startsWith(pattern.replace(/\*$/, "")));
  for (const name of readdirSync(STATE).flatMap((file) => /^(.*)\.pid$/.exec(file)?.[1] ?? []))
    if (isMatch(name) && isRunning(name)) process.stdout.write(`${name} loaded active running\n`);
  process.exit(0);
}
for (const name of names) await act(name.includes(".") ? name : `${name}.service`);

async function act(name) {
  const debian = DEBIAN[name.replace(".service", "")];
  if (debian) return runOrExit(debian[verb === "enable" ? "start" : verb]);
  const unit = readUnit(name);
  if (verb === "enable" && !unit.Install) throw new Error(`${name} has no [Install]`);
  if (name.endsWith(".timer")) return;
  if (verb === "stop" || verb === "restart") await stop(name, unit.Service);
  if (verb === "start" || verb === "restart" || (verb === "enable" && now)) await start(name, unit.Service);
}

function readUnit(name) {
  const [, stem, instance = "", type] = /^([^@.]+)(?:@([^.]*))?(\.\w+)$/.exec(name);
  const file = join(UNITS, instance ? `${stem}@${type}` : name);
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
  const log = openSync(join(STATE, `${name}.log`), "a");
  const [command] = service.ExecStart;
  if (service.Type?.[0] === "oneshot") {
    for (const each of [command, ...(service.ExecStartPost ?? [])]) runOrExit(restrict(each, service), log);
    return;
  }
  const [program, ...args] = restrict(command, service);
  const child = spawn(program, args, { detached: true, stdio: ["ignore", log, log] });
  writeFileSync(join(STATE, `${name}.pid`), String(child.pid));
  child.unref();
  closeSync(log);
  for (const each of service.ExecStartPost ?? []) runOrExit(restrict(each, service));
}

/** KillMode=mixed: signals the main process, and kills the group after TimeoutStopSec. */
async function stop(name, { TimeoutStopSec: [seconds] = [90] }) {
  if (!isRunning(name)) return;
  const pid = pidOf(name);
  process.kill(pid, "SIGTERM");
  for (const until = Date.now() + seconds * 1000; isRunning(name); await sleep(50))
    if (Date.now() > until) process.kill(-pid, "SIGKILL");
  rmSync(join(STATE, `${name}.pid`));
}

function restrict(command, service) {
  const first = (key) => service[key]?.[0];
  const user = first("User") ?? "root";
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
    ...Object.fromEntries((first("Environment")?.split(" ") ?? []).map((each) => each.split("="))),
  };
  const mounts = ["mount --make-rprivate /"];
  for (const path of first("ReadWritePaths")?.split(" ") ?? []) mounts.push(`mount --bind ${path} ${path}`);
  if (first("PrivateTmp")) mounts.push("mount -t tmpfs -o mode=1777 tmp /tmp");
  if (first("ProtectSystem") === "strict")
    mounts.push("mount -o remount,bind,ro /srv", "mount -o remount,bind,ro /");
  const limits = first("LimitNOFILE") ? ["prlimit", `--nofile=${openFiles(first("LimitNOFILE"))}`] : [];
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
          ...(first("NoNewPrivileges") ? ["--no-new-privs"] : []),
        ];
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const inner = `${mounts.join(" && ")} && cd "$0" && exec "$@"`;
  return [
    ...["unshare", "--mount", "--", "sh", "-c", inner, first("WorkingDirectory") ?? "/"],
    ...[...limits, "env", "-i", ...variables, ...identity, ...splitWords(command)],
  ];
}

function openFiles(requested) {
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

function pidOf(name) {
  const file = join(STATE, `${name}.pid`);
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
}

function isRunning(name) {
  const pid = pidOf(name);
  try {
    return pid !== undefined && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
