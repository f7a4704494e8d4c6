import type { Client } from "./client";
import { absent, integer, list, nonEmptyString, secret, turkishText } from "./matchers";
import { CONSENTS, PASSWORD, type World } from "./world";

const PATH = "/api/auth/register";
const MANDATORY_CONSENTS = Object.keys(CONSENTS);

/** docs/contract.md 2.2 and 4.2: POST /api/auth/register, with the transition of 3. */
export async function checkRegistration(client: Client, world: World): Promise<void> {
  const register = (label: string, changes: Record<string, unknown> = {}, varies = false) =>
    client.post(`4.2 register, ${label}`, PATH, world.buildRegistration(changes), { varies });
  const readAccount = (label: string, token: string) => client.get(label, "/api/auth/user", { token });
  const registerAndRead = async (variant: string, changes: Record<string, unknown>, field: string) => {
    const reply = await register(variant, changes);
    const token = reply.valueAt("token");
    const label = `4.2 register, ${variant}: ${field} in GET /api/auth/user`;
    return typeof token === "string" ? readAccount(label, token) : reply;
  };

  await client.runGroup("4.2 register", async () => {
    const body = world.buildRegistration();
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
      message: nonEmptyString,
    });
    const ownReply = await client.get("3 registration: its token signs in", "/api/user", {
      token: reply.textAt("token"),
    });
    client.expectRow(ownReply, 200, { "user.email": body.email });
    client.expectRow(ownReply, 200, { "user.credits": 1000 });
    client.expectRow(ownReply, 200, { "user.email_verified_at": null });
    const token = await world.waitForMail(body.email, /dsv_\w+/);
    client.addCheck("3 registration: a verification e-mail is sent", null, token !== "", "a mail", token);

    const duplicateReply = await register("an address that has an account", { email: body.email });
    client.expectInvalid(duplicateReply, "email");
    client.addCheck(
      "4.2 register, an address that has an account: no success in the validation shape",
      duplicateReply,
      duplicateReply.valueAt("success") === undefined && duplicateReply.valueAt("token") === undefined,
      "message and errors",
      duplicateReply.body,
    );
  });

  await client.runGroup("4.2 register, fields", async () => {
    for (const field of ["name", "phone", "email", "password", "password_confirmation"]) {
      client.expectInvalid(await register(`${field} left out`, { [field]: undefined }), field);
      client.expectInvalid(await register(`${field} null`, { [field]: null }), field);
      client.expectInvalid(await register(`${field} empty`, { [field]: "" }), field);
      client.expectInvalid(await register(`${field} a number`, { [field]: 12345678 }), field);
    }
    const emptyReply = await client.post("4.2 register, an empty object", PATH, {});
    for (const field of ["name", "phone", "email", "password"]) client.expectInvalid(emptyReply, field);

    const invalidEmails = [
      "plain",
      "a@",
      "@example.com",
      "a b@example.com",
      "a@example",
      "a@@example.com",
      "a@b..com",
    ];
    for (const email of invalidEmails)
      client.expectInvalid(await register(`email "${email}"`, { email }), "email");

    client.expectInvalid(
      await register("password of 7 characters", { password: "Kiraz-4", password_confirmation: "Kiraz-4" }),
      "password",
    );
    for (const [variant, password] of [
      ["8 characters", "Kiraz-42"],
      ["8 letters outside ASCII", "çilekğüş"],
      ["spaces at both ends", "  Kiraz Vadisi  "],
      ["100 characters", `${"Kiraz-42".repeat(12)}1234`],
    ] as const) {
      const body = world.buildRegistration({ password, password_confirmation: password });
      client.expectRow(await client.post(`4.2 register, password of ${variant}`, PATH, body), 201, {
        success: true,
      });
      const signInReply = await world.signIn(`4.2 login, password of ${variant}`, body.email, password);
      client.expectRow(signInReply, 403, { requires_verification: true });
    }
    client.expectInvalid(
      await register("password_confirmation differs", { password_confirmation: `${PASSWORD}!` }),
      "password_confirmation",
    );
    client.expectInvalid(
      await register("password_confirmation in another case", {
        password_confirmation: PASSWORD.toUpperCase(),
      }),
      "password_confirmation",
    );
    for (const password of ["password123", "Test12345", "secret123"]) {
      const label = `common-password list: ${password}`;
      // `true`: only production rejects common passwords, so the replies differ.
      const reply = await register(label, { password, password_confirmation: password }, true);
      if (client.mode === "demo") client.expectRow(reply, 201, { success: true });
      else client.expectInvalid(reply, "password");
    }

    client.expectRow(await register("name of 255 characters", { name: "ş".repeat(255) }), 201, {
      success: true,
    });
    client.expectInvalid(await register("name of 256 characters", { name: "ş".repeat(256) }), "name");
    client.expectRow(await register("name with spaces around it", { name: "  Ece Ün  " }), 201, {
      "user.name": "Ece Ün",
    });
    client.expectRow(await register("name in another script", { name: "Юлия 李" }), 201, {
      "user.name": "Юлия 李",
    });
    const protectedFields = {
      role: "admin",
      credits: 999_999,
      is_active: false,
      email_verified_at: "2020-01-01",
    };
    const elevatedReply = await register("fields outside the contract", protectedFields);
    client.expectFields(elevatedReply, 201, {
      "user.role": "user",
      "user.credits": 1000,
      "user.email_verified_at": null,
    });
  });

  await client.runGroup("4.2 register, phone", async () => {
    for (const [input, stored] of PHONES) {
      const accountReply = await registerAndRead(`phone "${input}"`, { phone: input }, "phone");
      client.expectRow(accountReply, 200, { "user.phone": stored });
    }
    for (const phone of REFUSED_PHONES)
      client.expectInvalid(
        await register(`phone "${phone}" (${phone.length} characters)`, { phone }),
        "phone",
      );
  });

  await client.runGroup("2.2 consents", async () => {
    const buildMissingConsents = (keys: string[]) => ({
      success: false,
      error: nonEmptyString,
      missing_consents: keys,
    });
    client.expectFields(
      await register("consents left out", { consents: undefined }),
      422,
      buildMissingConsents(MANDATORY_CONSENTS),
    );
    client.expectRow(
      await register("consents null", { consents: null }),
      422,
      buildMissingConsents(MANDATORY_CONSENTS),
    );
    client.expectRow(
      await register("consents {}", { consents: {} }),
      422,
      buildMissingConsents(MANDATORY_CONSENTS),
    );
    client.expectRow(
      await register("consents []", { consents: [] }),
      422,
      buildMissingConsents(MANDATORY_CONSENTS),
    );
    for (const key of MANDATORY_CONSENTS) {
      const incompleteConsents = { ...CONSENTS, [key]: undefined };
      client.expectRow(
        await register(`consents without ${key}`, { consents: incompleteConsents }),
        422,
        buildMissingConsents([key]),
      );
      const deniedConsents = { ...CONSENTS, [key]: false };
      client.expectRow(
        await register(`consents with ${key} false`, { consents: deniedConsents }),
        422,
        buildMissingConsents([key]),
      );
    }
    client.expectRow(
      await register("consents with two missing", { consents: { terms: true, cagri_kayit: true } }),
      422,
      buildMissingConsents(["privacy", "yurtdisi"]),
    );
    for (const key of ["marketing", "analytics", "cookie_marketing"]) {
      const input = { ...CONSENTS, [key]: true };
      client.expectRow(await register(`consents with ${key} true`, { consents: input }), 201, {
        success: true,
      });
      const deniedConsents = { ...CONSENTS, [key]: false };
      client.expectRow(await register(`consents with ${key} false`, { consents: deniedConsents }), 201, {
        success: true,
      });
    }
    const wrongTermsReply = await register("consents with terms as a word", {
      consents: { ...CONSENTS, terms: "perhaps" },
    });
    client.expectInvalid(wrongTermsReply, "consents.terms");
    client.expectRow(await register("consents a text", { consents: "all" }), 422, { token: absent });
    const combinedReply = await register("a wrong field and missing consents", {
      email: "plain",
      consents: {},
    });
    client.expectInvalid(combinedReply, "email");
  });

  await client.runGroup("4.2 register, timezone", async () => {
    for (const [variant, timezone, stored] of TIME_ZONES) {
      const accountReply = await registerAndRead(`timezone ${variant}`, { timezone }, "timezone");
      client.expectRow(accountReply, 200, { "user.timezone": stored });
    }
    const longZone = `Europe/${"I".repeat(58)}`;
    const longZoneReply = await registerAndRead(
      "timezone of 65 characters",
      { timezone: longZone },
      "timezone",
    );
    client.addCheck(
      "8 timezone: one of 65 characters is refused, or not stored",
      longZoneReply,
      longZoneReply.status === 422 ||
        (longZoneReply.status === 200 && longZoneReply.valueAt("user.timezone") === null),
      "422, or null",
      longZoneReply.valueAt("user.timezone"),
    );
  });

  await client.runGroup("4.2 register, referral_code", async () => {
    const reseller = await world.createReseller("KAYA2026");
    client.expectInvalid(
      await register("an unknown referral_code", { referral_code: "NOBODY99" }),
      "referral_code",
    );
    for (const [variant, referral_code, resellerId] of [
      ["a known referral_code", "KAYA2026", reseller.id],
      ["a known referral_code in small letters", "kaya2026", reseller.id],
      ["referral_code null", null, null],
      ["referral_code empty", "", null],
    ] as const) {
      const accountReply = await registerAndRead(variant, { referral_code }, "reseller_id");
      client.expectRow(accountReply, 200, { "user.reseller_id": resellerId });
    }
  });

  await client.runGroup("4.2 register, spam guard", async () => {
    const refusedReply = await register("an e-mail domain that cannot exist", {
      email: "ayse@firma.invalid",
    });
    client.expectFields(refusedReply, 422, {
      success: false,
      error: turkishText,
      errors: absent,
      missing_consents: absent,
    });
    client.expectRow(await register("a throw-away e-mail domain", { email: "ayse@mailinator.com" }), 422, {
      success: false,
      error: nonEmptyString,
    });
    const wrongFields = { email: "ayse@firma.invalid", consents: {} };
    client.expectRow(await register("missing consents and a refused domain", wrongFields), 422, {
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
