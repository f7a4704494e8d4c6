import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Settings } from "@/server/core/env-schema";

interface Service {
  image?: string;
  build?: unknown;
  env_file?: string;
  environment?: Record<string, string>;
  networks?: string[];
  ports?: string[];
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean; name: string }>;
}

const readText = (path: string) => readFileSync(path, "utf8");
const composeSource = readText("deploy/compose.yaml");
const compose = parse(composeSource, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const ourServices = services.filter(([, { image }]) => image === "tellal");
const dockerfile = readText("deploy/Dockerfile").replace(/\\\n/g, " ");
const guide = /^## Containers\n(.*?)^## /ms.exec(readText("docs/operating.md"))![1]!;
const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) => block!.split("\n"));
const composeCommands = commands.filter((line) => line.startsWith("docker compose "));

describe("compose.yaml", () => {
  it("passes the project's .env to each of our services", () => {
    const files = ourServices.map(([name, { env_file }]) => [name, resolve("deploy", env_file ?? "")]);
    expect(files).toEqual(["app-1", "app-2", "worker"].map((name) => [name, resolve(".env")]));
  });

  it("sets only settings that the application has", () => {
    const names = ourServices.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(names.filter((name) => !(name in Settings.shape))).toEqual([]);
  });

  it("requires only variables that the documented .env has", () => {
    const variables = [...composeSource.matchAll(/\$\{(\w+)(:-)?/g)];
    const requiredVariables = variables.filter(([, , hasDefault]) => !hasDefault).map(([, name]) => name!);
    expect(requiredVariables).toContain("POSTGRES_PASSWORD");
    expect(requiredVariables.filter((name) => !commands.some((line) => line.startsWith(`${name}=`)))).toEqual(
      [],
    );
  });

  it("builds the image in one service", () => {
    expect(services.filter(([, { build }]) => build).map(([name]) => name)).toEqual(["app-1"]);
  });

  it("keeps metrics in an internal network, at the documented addresses", () => {
    expect(compose.networks.metrics?.internal).toBe(true);
    expect(guide).toContain(`docker network connect ${compose.networks.metrics!.name} `);
    const targets = ourServices.map(([name, { environment, networks, ports }]) => {
      expect(networks).toContain("metrics");
      expect(ports).toBeUndefined();
      return `${name}:${environment!.METRICS_PORT}`;
    });
    expect(JSON.parse(/targets: (\[.*?\])/.exec(guide)![1]!)).toEqual(targets);
  });
});

it("Caddy forwards requests and portal checks to both servers", () => {
  const caddyfile = readText("deploy/Caddyfile");
  const servers = ourServices.filter(([name]) => name !== "worker");
  const upstreams = servers.map(([name, { environment }]) => `${name}:${environment!.PORT}`);
  expect([...caddyfile.matchAll(/reverse_proxy (.*) \{/g)].map(([, names]) => names)).toEqual([
    upstreams.join(" "),
  ]);
  const { origin, pathname } = new URL(/ask (\S+)/.exec(caddyfile)![1]!);
  expect(caddyfile).toContain(`${origin} {\n\tbind 127.0.0.1\n\thandle ${pathname} {\n\t\timport servers\n`);
});

describe("documented commands", () => {
  it.each(composeCommands)("find settings, services and script: %s", (line) => {
    expect(line).toMatch(/^docker compose -f deploy\/compose\.yaml --env-file \.env (?!-)/);
    // Six words precede the command, see the pattern above.
    const [command, ...commandArgs] = line.split(" ").slice(6);
    const words = commandArgs.filter(
      (word, index) => !word.startsWith("-") && commandArgs[index - 1] !== "-v",
    );
    const names = command === "run" || command === "exec" ? words.slice(0, 1) : words;
    expect(names.filter((name) => !(name in compose.services))).toEqual([]);
    const script = /npm run -s (\S+)/.exec(line)?.[1];
    if (script) expect(JSON.parse(readText("package.json")).scripts).toHaveProperty([script]);
  });

  it("include installation, upgrade, backup, restore and stop", () => {
    const allCommands = composeCommands.join("\n");
    for (const command of [" build", " up -d", " run -s backup ", " run -s restore ", " down"])
      expect(allCommands).toContain(command);
  });
});

describe("images", () => {
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?/gm)];
  const images = [
    ...stages.map(([, image]) => image!),
    ...services.map(([, { image }]) => image!).filter((image) => image !== "tellal"),
  ];

  it("have a tag that dependency updates can read", () => {
    expect(images.length).toBeGreaterThan(4);
    for (const image of images) expect(image).toMatch(/^[\w./-]+:[\w.-]+$/);
    const { updates } = parse(readText(".github/dependabot.yml")) as {
      updates: Array<Record<string, string>>;
    };
    const ecosystems = updates
      .filter(({ directory }) => directory === "/deploy")
      .map((update) => update["package-ecosystem"]);
    expect(ecosystems).toEqual(["docker", "docker-compose"]);
  });
});

describe("Dockerfile", () => {
  it("copies only paths that are in the context, or that the build writes", () => {
    const trackedFiles = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
    const ignoredPaths = readText("deploy/Dockerfile.dockerignore").split("\n");
    const isInContext = (path: string) =>
      trackedFiles.some((file) => file === path || file.startsWith(`${path}/`)) &&
      !ignoredPaths.includes(path.split("/")[0]!);
    const builtPaths = [".next", "dist", "node_modules"];
    const sources = [...dockerfile.matchAll(/^COPY (?:--from=\w+ )?(.*) \S+$/gm)]
      .flatMap(([, paths]) => paths!.split(" "))
      .map((path) => path.replace(/^\/app\//, ""))
      .filter((path) => path !== "." && !builtPaths.includes(path));
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.filter((path) => !isInContext(path))).toEqual([]);
  });

  it("removes only packages that an installation without development tools has", () => {
    const { packages } = JSON.parse(readText("package-lock.json")) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const installedPaths = Object.keys(packages).filter((path) => path && !packages[path]!.dev);
    const [, rootPackages, prismaPackages] =
      /cd node_modules\s+&& rm -rf (.*?)\s+&& cd @prisma && rm -rf (.*)/.exec(dockerfile)!;
    const removedPackages = [
      ...rootPackages!.trim().split(/\s+/),
      ...prismaPackages!
        .trim()
        .split(/\s+/)
        .map((name) => `@prisma/${name}`),
    ];
    const isInstalled = (name: string) =>
      installedPaths.some((path) =>
        name.endsWith("*")
          ? path.startsWith(`node_modules/${name.slice(0, -1)}`)
          : `${path}/`.startsWith(`node_modules/${name}/`),
      );
    expect(removedPackages.length).toBeGreaterThan(10);
    expect(removedPackages.filter((name) => !isInstalled(name))).toEqual([]);
  });
});
