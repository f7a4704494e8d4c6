import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import "@/server/domains";
import { declared } from "./domain";
import { errorTable } from "./errors";
import { LOCALES } from "./locale";
import { dictionaryOf, hasText, text } from "./texts";

/** Every key of a dictionary with its message. */
function flat(node: unknown, path = ""): Map<string, string> {
  if (typeof node === "string") return new Map([[path, node]]);
  const entries = Object.entries(node as object);
  return new Map(entries.flatMap(([key, value]) => [...flat(value, path ? `${path}.${key}` : key)]));
}

/** The placeholders of an ICU message, at any depth. */
function placeholders(message: string): string[] {
  const names = new Set<string>();
  for (const [, name] of message.matchAll(/\{\s*(\w+)\s*(?=[,}])/g)) names.add(name!);
  return [...names].sort();
}

const english = flat(dictionaryOf("en"));

describe.each(LOCALES)("dictionary %s", (locale) => {
  const messages = flat(dictionaryOf(locale));

  it("has the same keys as English", () => {
    const missing = [...english.keys()].filter((key) => !messages.has(key));
    const unknown = [...messages.keys()].filter((key) => !english.has(key));
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  });

  it("has no empty text and no key for a text", () => {
    expect([...messages].filter(([key, value]) => value.trim() === "" || value === key)).toEqual([]);
  });

  it("fills in the same placeholders as English", () => {
    const different = [...messages].filter(
      ([key, value]) => String(placeholders(value)) !== String(placeholders(english.get(key) ?? value)),
    );
    expect(different).toEqual([]);
  });

  it("has words for every action of the audit log", () => {
    const actions = declared().flatMap(({ audit }) => audit ?? []);
    expect(actions).not.toHaveLength(0);
    expect(actions.filter((action) => !hasText(locale, `auditActions.${action}`))).toEqual([]);
  });

  it("names every part that a domain checks, and says what mends it", () => {
    const parts = declared().flatMap(({ checks }) => Object.keys(checks ?? {}));
    const keys = parts.flatMap((part) => [`health.rows.${part}`, `health.fixes.${part}`]);
    expect(keys.filter((key) => !hasText(locale, key))).toEqual([]);
  });

  it("has a text for every error of the table", () => {
    for (const code of Object.keys(errorTable())) {
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
      const filled = text(locale, key, {
        ...params,
        annual_price_try: 3999,
        reference: "L01234569",
        model: "Site",
        id: 1,
      });
      expect(filled).not.toContain(key);
      expect(filled).not.toMatch(/[{}]/);
    }
  });
});

it.each([
  ["development", "changed"],
  ["production", "first"],
])("in %s, a message whose file has changed is %s", async (mode, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "tellal-texts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  vi.stubEnv("NODE_ENV", mode);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    // Files that run later in this process would get the dictionary of this test.
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
  expect(texts.text("en", "trial")).toBe("first");
  write("changed", 2);
  expect(texts.text("en", "trial")).toBe(expected);
});
