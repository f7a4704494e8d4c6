import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function findMissingRequirement(): string | undefined {
  if (process.getuid?.() !== 0) return "it needs root";
  const programs = ["unshare", "nsenter", "openssl", "git"];
  const missingPrograms = programs.filter(
    (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0,
  );
  if (missingPrograms.length > 0) return `it needs ${missingPrograms.join(", ")}`;
  return spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0
    ? undefined
    : "it needs the right to make namespaces";
}

/** Debian in its own namespaces, on an overlay over this machine's root or DEBIAN. It shares the network. */
export class Machine {
  private constructor(
    private readonly folder: string,
    private readonly initProcess: ChildProcess,
  ) {}

  static async create({ hosts }: { hosts: string[] }): Promise<Machine> {
    const folder = mkdtempSync(join(tmpdir(), "tellal-machine-"));
    chmodSync(folder, 0o755);
    for (const name of ["root", "srv"]) mkdirSync(join(folder, name));
    const baseFolder = process.env.DEBIAN ?? "/";
    const initProcess = spawn(
      "unshare",
      ["--mount", "--pid", "--fork", "--kill-child", "bash", "-ec", INIT_SCRIPT, folder, baseFolder],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await new Promise((resolve, reject) => {
      initProcess.stdout!.once("data", resolve);
      initProcess.once("exit", (code) => reject(new Error(`The machine exited with ${code}.`)));
    });
    const machine = new Machine(folder, initProcess);
    machine.write("/etc/hosts", `127.0.0.1 localhost ${hosts.join(" ")}\n`);
    machine.write("/etc/resolv.conf", readFileSync("/etc/resolv.conf", "utf8"));
    // The cloned repository belongs to root; git refuses that for other users.
    machine.write("/etc/gitconfig", "[safe]\n\tdirectory = *\n");
    for (const [name, file] of [
      ["systemctl", "systemctl.mjs"],
      ["journalctl", "journalctl.sh"],
      ["certbot", "certbot.sh"],
    ] as const) {
      machine.write(`/usr/local/bin/${name}`, readFileSync(join("e2e/installation", file), "utf8"));
      machine.run(`chmod 755 /usr/local/bin/${name}`);
    }
    machine.run("mkdir -p /etc/authority");
    for (const [name, content] of Object.entries(createAuthority()))
      machine.write(`/etc/authority/${name}`, content);
    // A proxy in front of the package registries may use a certificate that only this machine trusts.
    machine.write(TRUSTED_CERTIFICATES_PATH, readFileSync("/etc/ssl/certs/ca-certificates.crt", "utf8"));
    machine.write(
      "/etc/machine-environment",
      JSON.stringify({ NODE_EXTRA_CA_CERTS: "/etc/authority/root.pem" }),
    );
    return machine;
  }

  run(script: string, { minutes = 1 } = {}): string {
    const { status, stdout, stderr } = spawnSync("nsenter", [...this.nsenterArgs, ...SHELL_COMMAND], {
      input: script,
      encoding: "utf8",
      timeout: minutes * 60_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0)
      throw new Error(`The lines exited with ${status}:\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`);
    return stdout;
  }

  /** Like {@link run}, without blocking. */
  runAsync(script: string): Promise<string> {
    const child = spawn("nsenter", [...this.nsenterArgs, ...SHELL_COMMAND]);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    child.stdin.end(script);
    return new Promise((resolve, reject) =>
      child.once("close", (code) =>
        code === 0
          ? resolve(output)
          : reject(new Error(`The lines exited with ${code}:\n${output.slice(-4000)}`)),
      ),
    );
  }

  get srvFolder(): string {
    return join(this.folder, "srv");
  }

  write(path: string, text: string): void {
    execFileSync("nsenter", [...this.nsenterArgs, "tee", path], {
      input: text,
      stdio: ["pipe", "ignore", "inherit"],
    });
  }

  private get nsenterArgs(): string[] {
    const pid = readFileSync(
      `/proc/${this.initProcess.pid}/task/${this.initProcess.pid}/children`,
      "utf8",
    ).trim();
    return ["--target", pid, "--mount", "--pid", "--root", "--wd"];
  }

  async dispose(): Promise<void> {
    const exitPromise = new Promise((resolve) => this.initProcess.once("exit", resolve));
    this.initProcess.kill("SIGKILL");
    await exitPromise;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Creates the authority of the certbot stand-in on the host: a bare Debian has no OpenSSL. */
function createAuthority(): { "root.key": string; "root.pem": string } {
  const folder = mkdtempSync(join(tmpdir(), "tellal-authority-"));
  const [key, pem] = [join(folder, "root.key"), join(folder, "root.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const subject = ["-subj", "/CN=Authority of a test", "-days", "3650"];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", pem], {
    stdio: "ignore",
  });
  const authority = { "root.key": readFileSync(key, "utf8"), "root.pem": readFileSync(pem, "utf8") };
  rmSync(folder, { recursive: true });
  return authority;
}

const TRUSTED_CERTIFICATES_PATH = "/etc/authority/trusted.pem";

const SHELL_COMMAND = [
  ...["env", "-i", "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"],
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  `npm_config_cafile=${TRUSTED_CERTIFICATES_PATH}`,
  ...["bash", "-e"],
];

/** The machine's first process. Writes go to memory, except those to `/srv`, which go to the disk. */
const INIT_SCRIPT = `
mount --make-rprivate /
mount -t tmpfs upper "$0/root"
mkdir "$0/root/upper" "$0/root/work" "$0/root/all"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$0/root/upper,workdir=$0/root/work" "$0/root/all"
cd "$0/root/all"
mount --bind "$0/srv" srv
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs run run
mount -t tmpfs -o mode=1777 tmp tmp
mkdir -p run/lock
echo ready
exec chroot . bash -c 'while sleep 0.2; do :; done'
`;
