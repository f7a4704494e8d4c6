import type { Client } from "./client";
import { absent, integer, list, secret, text, turkish } from "./matchers";
import { CONSENTS, PASSWORD, type World } from "./world";

const PATH = "/api/auth/register";
const MANDATORY = Object.keys(CONSENTS);

/** docs/contract.md 2.2 and 4.2: POST /api/auth/register, with the transition of 3. */
export async function registration(client: Client, world: World): Promise<void> {
  const send = (label: string, changes: Record<string, unknown> = {}, varies = false) =>
    client.post(`4.2 register, ${label}`, PATH, world.registration(changes), { varies });
  const readAccount = (label: string, token: string) => client.get(label, "/api/auth/user", { token });
  const registerAndRead = async (what: string, changes: Record<string, unknown>, field: string) => {
    const reply = await send(what, changes);
    const token = reply.at("token");
    const label = `4.2 register, ${what}: ${field} in GET /api/auth/user`;
    return typeof token === "string" ? readAccount(label, token) : reply;
  };

  await client.group("4.2 register", async () => {
    const body = world.registration();
    const reply = await client.post("4.2 register, required fields only", PATH, body);
    client.expectFields(reply, 201, {
      success: true,
      "user.id": integer,
      "user.name": "Ayşe Kaya",
      "user.email": body.email,
      "user.role": "user",
      "user.credits": 1000,
      "user.email_verified_at": null,
      token: secret,
      message: text,
    });
    const own = await client.get("3 registration: its token signs in", "/api/user", {
      token: reply.text("token"),
    });
    client.expectRow(own, 200, { "user.email": body.email });
    client.expectRow(own, 200, { "user.credits": 1000 });
    client.expectRow(own, 200, { "user.email_verified_at": null });
    const token = await world.mailed(body.email, /dsv_\w+/);
    client.check("3 registration: a verification e-mail is sent", null, token !== "", "a mail", token);

    const again = await send("an address that has an account", { email: body.email });
    client.expectInvalid(again, "email");
    client.check(
      "4.2 register, an address that has an account: no success in the validation shape",
      again,
      again.at("success") === undefined && again.at("token") === undefined,
      "message and errors",
      again.body,
    );
  });

  await client.group("4.2 register, fields", async () => {
    for (const field of ["name", "phone", "email", "password", "password_confirmation"]) {
      client.expectInvalid(await send(`${field} left out`, { [field]: undefined }), field);
      client.expectInvalid(await send(`${field} null`, { [field]: null }), field);
      client.expectInvalid(await send(`${field} empty`, { [field]: "" }), field);
      client.expectInvalid(await send(`${field} a number`, { [field]: 12345678 }), field);
    }
    const empty = await client.post("4.2 register, an empty object", PATH, {});
    for (const field of ["name", "phone", "email", "password"]) client.expectInvalid(empty, field);

    const addresses = [
      "plain",
      "a@",
      "@example.com",
      "a b@example.com",
      "a@example",
      "a@@example.com",
      "a@b..com",
    ];
    for (const email of addresses) client.expectInvalid(await send(`email "${email}"`, { email }), "email");

    client.expectInvalid(
      await send("password of 7 characters", { password: "Kiraz-4", password_confirmation: "Kiraz-4" }),
      "password",
    );
    for (const [what, password] of [
      ["8 characters", "Kiraz-42"],
      ["8 letters outside ASCII", "çilekğüş"],
      ["spaces at both ends", "  Kiraz Vadisi  "],
      ["100 characters", `${"Kiraz-42".repeat(12)}1234`],
    ] as const) {
      const body = world.registration({ password, password_confirmation: password });
      client.expectRow(await client.post(`4.2 register, password of ${what}`, PATH, body), 201, {
        success: true,
      });
      const signedIn = await world.login(`4.2 login, password of ${what}`, body.email, password);
      client.expectRow(signedIn, 403, { requires_verification: true });
    }
    client.expectInvalid(
      await send("password_confirmation differs", { password_confirmation: `${PASSWORD}!` }),
      "password_confirmation",
    );
    client.expectInvalid(
      await send("password_confirmation in another case", { password_confirmation: PASSWORD.toUpperCase() }),
      "password_confirmation",
    );
    for (const password of ["password123", "Test12345", "secret123"]) {
      const label = `common-password list: ${password}`;
      const reply = await send(label, { password, password_confirmation: password }, true);
      if (client.mode === "demo") client.expectRow(reply, 201, { success: true });
      else client.expectInvalid(reply, "password");
    }

    client.expectRow(await send("name of 255 characters", { name: "ş".repeat(255) }), 201, { success: true });
    client.expectInvalid(await send("name of 256 characters", { name: "ş".repeat(256) }), "name");
    client.expectRow(await send("name with spaces around it", { name: "  Ece Ün  " }), 201, {
      "user.name": "Ece Ün",
    });
    client.expectRow(await send("name in another script", { name: "Юлия 李" }), 201, {
      "user.name": "Юлия 李",
    });
    const more = { role: "admin", credits: 999_999, is_active: false, email_verified_at: "2020-01-01" };
    const elevated = await send("fields outside the contract", more);
    client.expectFields(elevated, 201, {
      "user.role": "user",
      "user.credits": 1000,
      "user.email_verified_at": null,
    });
  });

  await client.group("4.2 register, phone", async () => {
    for (const [input, stored] of PHONES) {
      const user = await registerAndRead(`phone "${input}"`, { phone: input }, "phone");
      client.expectRow(user, 200, { "user.phone": stored });
    }
    for (const phone of REFUSED_PHONES)
      client.expectInvalid(await send(`phone "${phone}" (${phone.length} characters)`, { phone }), "phone");
  });

  await client.group("2.2 consents", async () => {
    const missing = (keys: string[]) => ({ success: false, error: text, missing_consents: keys });
    client.expectFields(await send("consents left out", { consents: undefined }), 422, missing(MANDATORY));
    client.expectRow(await send("consents null", { consents: null }), 422, missing(MANDATORY));
    client.expectRow(await send("consents {}", { consents: {} }), 422, missing(MANDATORY));
    client.expectRow(await send("consents []", { consents: [] }), 422, missing(MANDATORY));
    for (const key of MANDATORY) {
      const without = { ...CONSENTS, [key]: undefined };
      client.expectRow(await send(`consents without ${key}`, { consents: without }), 422, missing([key]));
      const denied = { ...CONSENTS, [key]: false };
      client.expectRow(await send(`consents with ${key} false`, { consents: denied }), 422, missing([key]));
    }
    client.expectRow(
      await send("consents with two missing", { consents: { terms: true, cagri_kayit: true } }),
      422,
      missing(["privacy", "yurtdisi"]),
    );
    for (const key of ["marketing", "analytics", "cookie_marketing"]) {
      const input = { ...CONSENTS, [key]: true };
      client.expectRow(await send(`consents with ${key} true`, { consents: input }), 201, { success: true });
      const denied = { ...CONSENTS, [key]: false };
      client.expectRow(await send(`consents with ${key} false`, { consents: denied }), 201, {
        success: true,
      });
    }
    const wrong = await send("consents with terms as a word", {
      consents: { ...CONSENTS, terms: "perhaps" },
    });
    client.expectInvalid(wrong, "consents.terms");
    client.expectRow(await send("consents a text", { consents: "all" }), 422, { token: absent });
    const both = await send("a wrong field and missing consents", { email: "plain", consents: {} });
    client.expectInvalid(both, "email");
  });

  await client.group("4.2 register, timezone", async () => {
    for (const [what, timezone, stored] of TIME_ZONES) {
      const user = await registerAndRead(`timezone ${what}`, { timezone }, "timezone");
      client.expectRow(user, 200, { "user.timezone": stored });
    }
    const zone = `Europe/${"I".repeat(58)}`;
    const long = await registerAndRead("timezone of 65 characters", { timezone: zone }, "timezone");
    client.check(
      "8 timezone: one of 65 characters is refused, or not stored",
      long,
      long.status === 422 || (long.status === 200 && long.at("user.timezone") === null),
      "422, or null",
      long.at("user.timezone"),
    );
  });

  await client.group("4.2 register, referral_code", async () => {
    const reseller = await world.reseller("KAYA2026");
    client.expectInvalid(
      await send("an unknown referral_code", { referral_code: "NOBODY99" }),
      "referral_code",
    );
    for (const [what, referral_code, owner] of [
      ["a known referral_code", "KAYA2026", reseller.id],
      ["a known referral_code in small letters", "kaya2026", reseller.id],
      ["referral_code null", null, null],
      ["referral_code empty", "", null],
    ] as const) {
      const user = await registerAndRead(what, { referral_code }, "reseller_id");
      client.expectRow(user, 200, { "user.reseller_id": owner });
    }
  });

  await client.group("4.2 register, spam guard", async () => {
    const refused = await send("an e-mail domain that cannot exist", { email: "ayse@firma.invalid" });
    client.expectFields(refused, 422, {
      success: false,
      error: turkish,
      errors: absent,
      missing_consents: absent,
    });
    client.expectRow(await send("a throw-away e-mail domain", { email: "ayse@mailinator.com" }), 422, {
      success: false,
      error: text,
    });
    const first = { email: "ayse@firma.invalid", consents: {} };
    client.expectRow(await send("missing consents and a refused domain", first), 422, {
      missing_consents: list,
    });
  });
}

/** Input and stored value: E.164 if the number is valid, else unchanged. */
export const PHONES: Array<[string, string]> = [
  ["+905321234567", "+905321234567"],
  ["0532 123 45 67", "+905321234567"],
  ["(0532) 123-45-67", "+905321234567"],
  ["+44 20 7946 0958", "+442079460958"],
  ["+1234567890", "+1234567890"],
  ["555-1234", "555-1234"],
  ["12345", "12345"],
  ["1234567890 1234567890 1234567890", "1234567890 1234567890 1234567890"],
];

export const REFUSED_PHONES = [
  "1234",
  "1234567890 1234567890 12345678901",
  "0532_123_45_67",
  "0532/1234567",
  "05x2 123 45 67",
  "telefon",
  "+90532#1234567",
];

const TIME_ZONES: Array<[string, unknown, string | null]> = [
  ["Europe/Istanbul", "Europe/Istanbul", "Europe/Istanbul"],
  ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["UTC", "UTC", "UTC"],
  ["europe/istanbul", "europe/istanbul", "Europe/Istanbul"],
  ["left out", undefined, null],
  ["null", null, null],
  ["that no place has", "Europe/Atlantis", null],
  ["that is a word", "tomorrow", null],
];
