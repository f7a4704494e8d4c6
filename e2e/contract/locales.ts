import type { Client } from "./client";
import {
  boolean,
  containing,
  equalTo,
  integer,
  list,
  matching,
  nonEmptyString,
  object,
  oneOf,
  sameMembers,
} from "./matchers";
import type { World } from "./world";

const LOCALES = ["tr", "en", "ru", "de", "ar", "fr", "it"];
export const I18N_CLIENT_ADDRESS = "10.201.0.1";

/** docs/contract.md 4.10: dictionaries and the interface language. */
export async function checkLocales(client: Client, world: World): Promise<void> {
  await client.runGroup("4.10 meta", async () => {
    const reply = await client.get("4.10 meta", "/api/i18n/meta");
    client.expectFields(reply, 200, {
      supported: sameMembers(...LOCALES),
      fallback: "tr",
      default: "en",
      labels: object,
      ...Object.fromEntries(LOCALES.map((locale) => [`labels.${locale}`, nonEmptyString])),
      "labels.tr": "Türkçe",
    });
    const cacheControl = reply.headers.get("cache-control");
    client.addCheck(
      "4.10 meta: cache-control is public",
      reply,
      /\bpublic\b/.test(cacheControl ?? ""),
      "public",
      cacheControl,
    );
    client.addCheck(
      "8 i18n meta cache: 300 seconds",
      reply,
      /\bmax-age=300\b/.test(cacheControl ?? ""),
      "max-age=300",
      cacheControl,
    );
    checkLimitHeader(client, reply);
  });

  await client.runGroup("4.10 dictionaries", async () => {
    for (const locale of LOCALES) {
      const reply = await client.get(`4.10 dictionary ${locale}`, `/api/i18n/${locale}.json`);
      client.expectFields(reply, 200, {
        locale,
        version: nonEmptyString,
        "translations.common": object,
        "translations.admin": object,
        "translations.widget": object,
      });
    }
    const firstReply = await client.get("4.10 dictionary, first time", "/api/i18n/tr.json");
    const secondReply = await client.get("4.10 dictionary, same content", "/api/i18n/tr.json");
    client.expectRow(secondReply, 200, {
      version: equalTo(firstReply.valueAt("version"), "that of the first response"),
    });
    const otherReply = await client.get("4.10 dictionary, other content", "/api/i18n/en.json");
    client.addCheck(
      "4.10 version: other content has another hash",
      otherReply,
      otherReply.textAt("version") !== firstReply.textAt("version"),
      "another version",
      otherReply.valueAt("version"),
    );
    checkLimitHeader(client, firstReply);
    for (const locale of ["xx", "es", "tr-TR", "english"]) {
      const reply = await client.get(`4.10 dictionary ${locale}`, `/api/i18n/${locale}.json`);
      client.expectFields(reply, 404, {
        success: false,
        error: "Locale not supported",
        supported: sameMembers(...LOCALES),
      });
    }
  });

  await client.runGroup("4.10 PUT /api/user/locale", async () => {
    const { token } = await world.createPerson();
    const put = (label: string, body: unknown, headers = {}) =>
      client.put(`4.10 PUT /api/user/locale, ${label}`, "/api/user/locale", body, { token, headers });
    const readLocale = (label: string) =>
      client.get(`4.10 the locale after ${label}`, "/api/auth/user", { token });
    for (const locale of LOCALES)
      client.expectRow(await put(locale, { locale }), 200, {
        success: true,
        locale,
        effective_locale: locale,
      });
    client.expectRow(await readLocale("PUT it"), 200, { "user.locale": "it" });
    client.expectInvalid(await put("an unsupported one", { locale: "xx" }), "locale");
    client.expectInvalid(await put("a number", { locale: 5 }), "locale");
    client.expectRow(await readLocale("a refusal"), 200, { "user.locale": "it" });
    const germanHeaders = { "accept-language": "de-DE,de;q=0.9,en;q=0.5" };
    client.expectRow(await put("null, Accept-Language de", { locale: null }, germanHeaders), 200, {
      locale: null,
      effective_locale: "de",
    });
    client.expectRow(await readLocale("PUT null"), 200, { "user.locale": null });
    const unknownHeaders = { "accept-language": "xx" };
    client.expectRow(await put("null, Accept-Language unknown", { locale: null }, unknownHeaders), 200, {
      effective_locale: "en",
    });
    await put("before an empty one", { locale: "fr" });
    client.expectRow(await put("an empty text", { locale: "" }, germanHeaders), 200, { locale: null });
    const response = await put("a chosen one sets the response's language", { locale: "en" });
    client.expectRow(response, 200, { message: matching(/[a-z]/) });
  });

  await client.runGroup("4.1 plans", () => checkPlans(client, world));
}

function checkLimitHeader(client: Client, reply: Awaited<ReturnType<Client["get"]>>): void {
  const limit = reply.headers.get("x-ratelimit-limit");
  client.addCheck(
    `8 i18n responses: a header shows 120 (${reply.label})`,
    reply,
    limit === "120",
    "120",
    limit,
  );
}

/** docs/contract.md 4.1 (GET /api/subscription-plans) and 2.7 (plan names). */
async function checkPlans(client: Client, world: World): Promise<void> {
  const { token } = await world.createPerson();
  const reply = await client.get("4.1 subscription-plans", "/api/subscription-plans", { token });
  client.expectFields(reply, 200, {
    success: true,
    count: 4,
    "data.0.id": integer,
    "data.0.slug": nonEmptyString,
    "data.0.description": nonEmptyString,
    "data.0.price": integer,
    "data.0.billing_period": nonEmptyString,
    "data.0.site_slots": integer,
    "data.0.monthly_credits": integer,
    "data.0.features": list,
    "data.0.sort_order": integer,
  });
  const data = reply.valueAt("data");
  const names = Array.isArray(data) ? data.map(({ name }) => name) : [];
  const planNames = ["Starter", "Pro", "Premium", "Ultimate"];
  for (const name of planNames)
    client.addCheck(`2.7 plan ${name} is listed`, reply, containing(name).matches(names), name, names);
  client.addCheck(
    "2.7 no other plan is listed",
    reply,
    sameMembers(...planNames).matches(names),
    "four",
    names,
  );
  for (const [index, name] of planNames.entries())
    client.expectRow(reply, 200, {
      [`data.${index}.name`]: name,
      [`data.${index}.is_active`]: boolean,
      [`data.${index}.currency`]: oneOf("TRY"),
    });
}
