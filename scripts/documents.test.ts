import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { Settings } from "@/server/core/env-schema";
import { listFiles } from "./lib/files.mjs";
import { readUsage } from "./lib/usage.mjs";

const documents = new Map(
  listFiles()
    .filter((path) => path.endsWith(".md"))
    .map((path) => [path, readFileSync(path, "utf8")]),
);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** Folders that a path in a document may be relative to, in addition to the document's own. */
const BASE_FOLDERS = ["", "server", "server/domains"];
const PATH_PATTERN =
  /^(app|bench|client|components|deploy|docs|e2e|messages|prisma|public|scripts|server|transports|infrastructure|core|\.ci|\.github|accounts|platform|sites|billing|access|tenancy|settings)\//;

describe.each([...documents])("%s", (path, text) => {
  it("links to files and headings that exist", () => {
    const links = [...text.matchAll(/\]\(((?!https?:)[^)]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !doesTargetExist(path, link))).toEqual([]);
  });

  it("names files and folders that exist", () => {
    const names = [...text.matchAll(/`([\w./()[\]-]+)`/g)].map(([, name]) => name!);
    const paths = names.filter((name) => PATH_PATTERN.test(name) && !/\/$|^app\/trpc|x\.y/.test(name));
    const missingPaths = paths.filter(
      (name) => ![...BASE_FOLDERS, dirname(path)].some((base) => existsSync(join(base, name))),
    );
    expect(missingPaths).toEqual([]);
  });

  it("names npm scripts that exist", () => {
    const names = [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w-]*(?::[\w-]+)*)/g)].map(([, name]) => name!);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});

function doesTargetExist(documentPath: string, link: string): boolean {
  const [path, anchor] = link.split("#");
  const file = path ? join(dirname(documentPath), path) : documentPath;
  if (!existsSync(file)) return false;
  const headings = [...(documents.get(file) ?? "").matchAll(/^#+ (.+)$/gm)];
  return anchor === undefined || headings.some(([, heading]) => toAnchor(heading!) === anchor);
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

it("docs/commands.md has the usage of every command", async () => {
  const commandsByFile = new Map<string, string[]>();
  for (const [name, commandLine] of Object.entries(scripts)) {
    // The last file of the line is the command; earlier ones are loaders.
    const file = /[\w./-]+\.(?:ts|mjs)\b(?!.*\.(?:ts|mjs)\b)/.exec(commandLine)?.[0];
    if (file) commandsByFile.set(file, [...(commandsByFile.get(file) ?? []), name]);
  }
  const sections = [...commandsByFile].map(
    ([file, commands]) => `## ${commands.join(", ")}

\`\`\`
${readUsage(pathToFileURL(file).href)}\`\`\`
`,
  );
  await expect(`# Commands

\`npm run <command> -- --help\` prints the same. \`npm run lint\` runs Biome, \`npm run unused\` knip, and \`npm run -s sbom\` prints
the bill of materials as CycloneDX.

${sections.join("\n")}`).toMatchFileSnapshot("../docs/commands.md");
});

describe("settings", () => {
  const headingByFirstSetting: Record<string, string> = {
    APP_MODE: "Application",
    HOST: "Server",
    DATA_DIR: "Files",
    DATABASE_URL: "Database and Redis",
    OTEL_EXPORTER_OTLP_ENDPOINT: "Traces",
    SMTP_URL: "Mail and webhooks",
    SUPPORT_EMAIL: "Panel",
    ADMIN_EMAIL: "First administrator",
    RATE_LIMITS: "Limits and passwords",
    TWILIO_ACCOUNT_SID: "Text messages",
    TELEGRAM_API_URL: "Channels",
    ACCOUNTING: "Invoices",
    GOOGLE_CLIENT_ID: "Sign-in with Google and Apple",
    TRUSTED_PROXY_HOPS: "Proxy and DNS",
    LOG_LEVEL: "Log and tests",
  };
  const settings = Object.entries(Settings.shape).map(([name, { description = "" }]) => ({
    name,
    description,
  }));

  it("docs/settings.md describes every setting", async () => {
    const rows = settings.map(({ name, description }) => {
      const heading =
        headingByFirstSetting[name] &&
        `\n## ${headingByFirstSetting[name]}\n\n| setting | meaning |\n|---|---|\n`;
      return `${heading ?? ""}| \`${name}\` | ${description.replaceAll("|", "\\|")} |`;
    });
    await expect(`# Settings

Settings are environment variables or lines of a file \`.env\` in the folder of the server; [.env.example](../.env.example) is a template. A
variable of the environment wins over \`.env\`. An empty setting counts as missing, even if \`.env\` has a value. Every setting needs a restart. A start lists all wrong settings at once ([settings-errors.md](settings-errors.md)).
${rows.join("\n")}
`).toMatchFileSnapshot("../docs/settings.md");
  });

  it(".env.example lists every setting", async () => {
    const blocks = settings.map(({ name, description }) => {
      const heading = headingByFirstSetting[name] ? `\n## ${headingByFirstSetting[name]}\n\n` : "";
      const comment = description.replace(/(?=\S)(.{1,108})(?:\s+|$)/g, "# $1\n");
      return `${heading}${comment}${name}=\n`;
    });
    await expect(`# Every setting of Tellal. A fresh clone needs none of them. Copy this file to .env and keep it out of version control.
# An empty setting counts as missing.
${blocks.join("")}`).toMatchFileSnapshot("../.env.example");
  });
});
