import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import "@/server/domains";
import { getRegisteredDomains } from "./domain";
import { getErrorSpecs } from "./errors";
import { LOCALES } from "./locale";
import { formatText, hasText, readDictionary } from "./texts";

function flattenMessages(node: unknown, path = ""): Map<string, string> {
  if (typeof node === "string") return new Map([[path, node]]);
  const entries = Object.entries(node as object);
  return new Map(
    entries.flatMap(([key, value]) => [...flattenMessages(value, path ? `${path}.${key}` : key)]),
  );
}

const listPlaceholders = (message: string) => [...new Set(listArguments(compile(message)))].sort();

function listArguments(message: CompiledMessage): string[] {
  if (typeof message === "string") return [];
  return message.flatMap((part) => {
    if (!Array.isArray(part)) return [];
    const [name, kind, options] = part;
    // A tag has its content instead of a kind; its content may begin with `#`, which is 0.
    if (part.length > 1 && !(typeof kind === "number" && kind > 0))
      return [`<${name}>`, ...listArguments(part.slice(1) as CompiledMessage)];
    const branches =
      typeof options === "object" ? Object.values(options as Record<string, CompiledMessage>) : [];
    return [name as string, ...branches.flatMap(listArguments)];
  });
}

const english = flattenMessages(readDictionary("en"));

describe.each(LOCALES)("dictionary %s", (locale) => {
  const messages = flattenMessages(readDictionary(locale));

  it("has the same keys as English", () => {
    const missing = [...english.keys()].filter((key) => !messages.has(key));
    const unknown = [...messages.keys()].filter((key) => !english.has(key));
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  });

  it("has no empty messages and none that repeat their key", () => {
    expect([...messages].filter(([key, value]) => value.trim() === "" || value === key)).toEqual([]);
  });

  it("uses the same placeholders as English", () => {
    const different = [...messages].filter(
      ([key, value]) =>
        String(listPlaceholders(value)) !== String(listPlaceholders(english.get(key) ?? value)),
    );
    expect(different).toEqual([]);
  });

  it("has a message for every audit action", () => {
    const actions = getRegisteredDomains().flatMap(({ audit }) => audit ?? []);
    expect(actions).not.toHaveLength(0);
    expect(actions.filter((action) => !hasText(locale, `auditActions.${action}`))).toEqual([]);
  });

  it("has a name and a fix for every health check", () => {
    const checkNames = getRegisteredDomains().flatMap(({ checks }) => Object.keys(checks ?? {}));
    const keys = checkNames.flatMap((part) => [`health.rows.${part}`, `health.fixes.${part}`]);
    expect(keys.filter((key) => !hasText(locale, key))).toEqual([]);
  });

  it("has a message for every error code", () => {
    for (const code of Object.keys(getErrorSpecs())) {
      const key = `errors.${code}`;
      expect(hasText(locale, key), key).toBe(true);
      const params = {
        max: 20,
        path: "x",
        type: "application/json",
        method: "GET",
        allow: "POST",
        limit: 1,
        minutes: 2,
        remaining_attempts: 1,
        locale: "tr",
        email: "a@b.co",
        domain: "b.co",
        reason: "auth",
        brand: "Tellal",
        open: "₺1,00",
      };
      const message = formatText(locale, key, {
        ...params,
        annual_price_try: 3999,
        reference: "L01234569",
        model: "Site",
        id: 1,
      });
      expect(message).not.toContain(key);
      expect(message).not.toMatch(/[{}]/);
    }
  });
});

it.each([
  ["development", "changed"],
  ["production", "first"],
])("in %s, uses the %s version of a dictionary file", async (mode, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "tellal-texts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  vi.stubEnv("NODE_ENV", mode);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    // Otherwise later test files in this process would use this dictionary.
    vi.resetModules();
  });
  vi.resetModules();
  const texts = await import("./texts");
  mkdirSync(join(folder, "messages/generated"), { recursive: true });
  const write = (message: string, minute: number) => {
    const file = join(folder, "messages/generated/en.json");
    writeFileSync(file, JSON.stringify({ trial: message }));
    utimesSync(file, minute * 60, minute * 60);
  };
  write("first", 1);
  expect(texts.formatText("en", "trial")).toBe("first");
  write("changed", 2);
  expect(texts.formatText("en", "trial")).toBe(expected);
});
