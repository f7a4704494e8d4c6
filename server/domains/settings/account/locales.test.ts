import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { LOCALES } from "@/server/core/locale";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { createIpAddress } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";

const { call, get } = await startTestServer();
let installationDir: string;
const getFilePath = (locale: string, name: string) =>
  join(installationDir, "messages", locale, `${name}.json`);

beforeAll(async () => {
  installationDir = await mkdtemp(join(tmpdir(), "tellal-locales-"));
  await cp("messages", join(installationDir, "messages"), { recursive: true });
  vi.spyOn(process, "cwd").mockReturnValue(installationDir);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await rm(installationDir, { recursive: true });
});

describe("GET /api/i18n/meta", () => {
  it("returns the languages, cacheable for five minutes", async () => {
    const { status, json, headers } = await get("/api/i18n/meta");
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("public, max-age=300");
    expect(json).toMatchObject({
      supported: ["tr", "en", "ru", "de", "ar", "fr", "it"],
      fallback: "tr",
      default: "en",
    });
    expect(json.labels).toMatchObject({ tr: "Türkçe", ar: "العربية" });
    expect(json.directions).toMatchObject({ tr: "ltr", ar: "rtl" });
    expect(json.versions.tr).toBe((await get("/api/i18n/tr.json")).json.version);
  });

  it("counts down a limit of 120, then returns 429", async () => {
    const ip = createIpAddress();
    for (let remaining = 119; remaining >= 0; remaining--) {
      const { status, headers } = await call("GET", "/api/i18n/meta", { ip });
      expect(status).toBe(200);
      expect(headers["x-ratelimit-limit"]).toBe("120");
      expect(headers["x-ratelimit-remaining"]).toEqual(String(remaining));
    }
    const { status, text, headers } = await call("GET", "/api/i18n/meta", { ip });
    expect({ status, text }).toEqual({ status: 429, text: '{"message":"Too Many Attempts."}' });
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
    expect((await call("GET", "/api/i18n/tr.json", { ip })).status).toBe(200);
  });
});

describe("GET /api/i18n/{locale}.json", () => {
  it.each(LOCALES)("returns the dictionary %s with a hash of its content", async (locale) => {
    const { json, headers } = await get(`/api/i18n/${locale}.json`);
    expect(Object.keys(json)).toEqual(["locale", "version", "translations"]);
    expect(json.locale).toBe(locale);
    const namespaces = (await readdir(join(installationDir, "messages", locale))).map((file) =>
      file.replace(".json", ""),
    );
    expect(Object.keys(json.translations)).toEqual(namespaces.sort());
    for (const name of namespaces)
      expect(json.translations[name]).toEqual(JSON.parse(await readFile(getFilePath(locale, name), "utf8")));
    const hash = createHash("sha256").update(JSON.stringify(json.translations)).digest("hex");
    expect(hash.startsWith(json.version)).toBe(true);
    for (const group of ["common", "admin", "widget"]) expect(json.translations[group]).toBeTypeOf("object");
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
  });

  it("returns 304 without a body for a current ETag", async () => {
    const { headers } = await get("/api/i18n/de.json");
    const etag = String(headers.etag);
    for (const candidate of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const cachedResponse = await call("GET", "/api/i18n/de.json", {
        headers: { "if-none-match": candidate },
      });
      expect({
        status: cachedResponse.status,
        text: cachedResponse.text,
        etag: cachedResponse.headers.etag,
      }).toEqual({
        status: 304,
        text: "",
        etag,
      });
    }
    expect((await call("GET", "/api/i18n/de.json", { headers: { "if-none-match": '"x"' } })).status).toBe(
      200,
    );
  });

  it("changes version and ETag when a file changes or is added", async () => {
    const originalResponse = await get("/api/i18n/it.json");
    const originalTranslations = originalResponse.json.translations;
    await writeFile(getFilePath("it", "sms"), JSON.stringify({ code: "{code} {brand}" }));
    const changedResponse = await get("/api/i18n/it.json");
    expect(changedResponse.json.translations).toEqual({
      ...originalTranslations,
      sms: { code: "{code} {brand}" },
    });
    await writeFile(getFilePath("it", "added"), JSON.stringify({ a: "b" }));
    const extendedResponse = await get("/api/i18n/it.json");
    expect(extendedResponse.json.translations).toEqual({
      ...changedResponse.json.translations,
      added: { a: "b" },
    });
    const responses = [originalResponse, changedResponse, extendedResponse];
    expect(new Set(responses.map(({ json }) => json.version)).size).toBe(3);
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it("returns 404 with the supported languages for an unsupported one", async () => {
    for (const locale of ["es", "TR", "tr-TR", "meta", "package"]) {
      const { status, json } = await get(`/api/i18n/${locale}.json`);
      expect({ status, json }).toEqual({
        status: 404,
        json: { success: false, error: "Locale not supported", supported: [...LOCALES] },
      });
    }
  });

  it("returns 500 while a file is missing; other languages keep working", async () => {
    const { version } = (await get("/api/i18n/fr.json")).json;
    const readVersions = async () => (await get("/api/i18n/meta")).json.versions;
    const versionsBefore = await readVersions();
    await rename(getFilePath("fr", "sms"), join(installationDir, "sms.json"));
    const { status, json } = await get("/api/i18n/fr.json");
    expect(status).toBe(500);
    expect(Object.keys(json)).toEqual(["success", "error"]);
    expect(json.error).not.toContain("/");
    expect(await readVersions()).toEqual({ ...versionsBefore, fr: null });
    expect((await get("/api/i18n/en.json")).status).toBe(200);
    await rename(join(installationDir, "sms.json"), getFilePath("fr", "sms"));
    expect((await get("/api/i18n/fr.json")).json.version).toBe(version);
    await rename(join(installationDir, "messages", "fr"), join(installationDir, "fr"));
    expect((await get("/api/i18n/fr.json")).status).toBe(500);
    await rename(join(installationDir, "fr"), join(installationDir, "messages", "fr"));
    expect(await readVersions()).toEqual(versionsBefore);
  });

  it("returns 500 while a file is invalid; other languages keep working", async () => {
    const originalFile = await readFile(getFilePath("ru", "sms"));
    const { version } = (await get("/api/i18n/ru.json")).json;
    for (const brokenContent of ["{ not json", ""]) {
      await writeFile(getFilePath("ru", "sms"), brokenContent);
      const { status, json } = await get("/api/i18n/ru.json");
      expect(status).toBe(500);
      expect(Object.keys(json)).toEqual(["success", "error"]);
      const meta = await get("/api/i18n/meta");
      expect(meta).toMatchObject({ status: 200, json: { versions: { ru: null } } });
    }
    await writeFile(getFilePath("ru", "sms"), originalFile);
    expect((await get("/api/i18n/ru.json")).json.version).toBe(version);
  });
});

describe("PUT /api/user/locale", () => {
  it("stores a language, uses it in responses, and clears it", async () => {
    const { token, ...user } = await makeSignedInUser();
    const putLocale = (body: unknown, acceptLanguage?: string) =>
      call("PUT", "/api/user/locale", {
        token,
        body,
        headers: acceptLanguage ? { "accept-language": acceptLanguage } : {},
      });
    const readStoredLocale = async () =>
      (await prisma().user.findUniqueOrThrow({ where: { id: user.id } })).locale;
    const response = await putLocale({ locale: "de" });
    expect(response.json).toEqual({
      success: true,
      locale: "de",
      effective_locale: "de",
      message: expect.any(String),
    });
    expect(await readStoredLocale()).toBe("de");
    expect((await putLocale({ locale: "xx" })).json.message).not.toBe(
      (
        await call("PUT", "/api/user/locale", {
          token: await makeToken((await makeUser()).id),
          body: { locale: "xx" },
        })
      ).json.message,
    );
    for (const [body, acceptLanguage, effectiveLocale] of [
      [{ locale: null }, "fr-CH, fr;q=0.9, en;q=0.8", "fr"],
      [{ locale: "" }, "es, ru;q=0.5", "ru"],
      [{}, "en;q=0, *", "en"],
      [undefined, undefined, "en"],
    ] as const) {
      const { status, json } = await putLocale(body, acceptLanguage);
      expect({ status, locale: json.locale, effective_locale: json.effective_locale }).toEqual({
        status: 200,
        locale: null,
        effective_locale: effectiveLocale,
      });
      expect(await readStoredLocale()).toBeNull();
    }
  });

  it("rejects an unsupported language", async () => {
    const token = await makeToken((await makeUser()).id);
    for (const locale of ["es", "TR", "tr-TR", 1, true, "__proto__"]) {
      const { status, json } = await call("PUT", "/api/user/locale", { token, body: { locale } });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["locale"]);
    }
  });
});
