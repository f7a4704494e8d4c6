import type { Client, Reply } from "./client";
import { CODE } from "./mail";
import {
  absent,
  containing,
  flag,
  integer,
  list,
  orNull,
  positive,
  secret,
  string,
  text,
  timestamp,
  turkish,
} from "./matchers";
import { INTERIM, SIGNED_IN } from "./sign-in";
import type { Person, World } from "./world";

const CHALLENGE = "/api/auth/2fa/challenge";
const RECOVERY = "/api/auth/2fa/recovery";
const SEND = "/api/auth/2fa/send-code";

export const THROTTLED = { success: false, error: turkish, retry_after: positive, message: text };

/** docs/contract.md 4.3, with the interim states of 3. */
export async function secondFactor(client: Client, world: World): Promise<void> {
  const challenge = (label: string, interim_token: unknown, code: unknown, method: unknown = "totp") =>
    client.post(`4.3 challenge, ${label}`, CHALLENGE, { interim_token, method, code });

  await client.group("4.3 methods", async () => {
    const path = "/api/profile/2fa/methods";
    const person = await world.person();
    const { token } = person;
    client.expectRow(await client.get("4.3 methods, none configured", path, { token }), 200, {
      methods: [],
      recovery_codes_count: 0,
    });
    await world.totp(person);
    const reply = await client.get("4.3 methods", path, { token });
    client.expectFields(reply, 200, {
      success: true,
      methods: list,
      data: list,
      recovery_codes_count: positive,
      "methods.0.method": "totp",
      "methods.0.enabled": true,
      "methods.0.is_default": flag,
      "methods.0.masked_destination": orNull(string),
      "methods.0.confirmed_at": timestamp,
      "methods.0.last_used_at": orNull(timestamp),
    });
  });

  const person = await world.person();
  const app = await world.totp(person);
  const mail = { token: person.token };
  await client.post("preparation: codes by e-mail", "/api/profile/2fa/email", {}, mail);

  await client.group("4.3 challenge", async () => {
    const login = await world.login("4.2 login with two methods", person.email);
    client.expectFields(login, 200, {
      ...INTERIM,
      available_methods: containing("totp", "email"),
      user: absent,
    });
    const interim_token = login.text("interim_token");
    const asBearer = await client.get("5.4 an interim token is no access token", "/api/user", {
      token: interim_token,
    });
    client.expectRow(asBearer, 401, { message: "Unauthenticated." });
    const wrong = await challenge("a wrong code", interim_token, "000000");
    client.expectFields(wrong, 422, { success: false, error: turkish, token: absent });
    const reply = await challenge("the right code after a wrong one", interim_token, await app.code());
    client.expectFields(reply, 200, SIGNED_IN);
    const own = await client.get("5.2 the token of a challenge", "/api/user", { token: reply.text("token") });
    client.expectRow(own, 200, { "user.id": person.id });
    const replayed = await challenge("an interim token that was used", interim_token, await app.code());
    client.expectFields(replayed, 401, { success: false, error: turkish });
    const unknown = await challenge("an unknown interim token", "dsi_unknown", "123456");
    client.expectRow(unknown, 401, { success: false, error: text });

    const open = await world.interimToken(person, "validation");
    for (const field of ["interim_token", "method", "code"]) {
      const body = { interim_token: open, method: "totp", code: "123456", [field]: undefined };
      client.expectInvalid(await client.post(`4.3 challenge, ${field} left out`, CHALLENGE, body), field);
    }
    client.expectInvalid(await challenge("an unknown method", open, "123456", "fax"), "method");
    client.expectInvalid(await challenge("a method that is not enabled", open, "123456", "sms"), "method");
    client.expectInvalid(await challenge("code a number", open, 123456), "code");
    client.expectInvalid(await challenge("interim_token a list", [open], "123456"), "interim_token");
  });

  await client.group("4.3 send-code", async () => {
    const interim_token = await world.interimToken(person, "send-code");
    const send = (label: string, body: Record<string, unknown>) =>
      client.post(`4.3 send-code, ${label}`, SEND, body);
    client.expectRow(await send("totp, where it is unnecessary", { interim_token, method: "totp" }), 200, {
      success: true,
    });
    client.expectFields(await send("email", { interim_token, method: "email" }), 200, {
      success: true,
      message: text,
      method: "email",
      masked_destination: text,
      expires_in: integer,
      resend_after: integer,
    });
    const code = await world.mailed(person.email, CODE);
    client.check("4.3 send-code, email: a code is mailed", null, /^\d{6}$/.test(code), "six digits", code);
    client.expectRow(await challenge("the mailed code", interim_token, code, "email"), 200, {
      token: secret,
    });

    const open = await world.interimToken(person, "send-code refused");
    client.expectInvalid(
      await send("a method that is not enabled", { interim_token: open, method: "sms" }),
      "method",
    );
    client.expectInvalid(await send("an unknown method", { interim_token: open, method: "fax" }), "method");
    client.expectInvalid(await send("method left out", { interim_token: open }), "method");
    client.expectInvalid(await send("interim_token left out", { method: "email" }), "interim_token");
    const unknown = await send("an unknown interim token", { interim_token: "dsi_unknown", method: "email" });
    client.expectFields(unknown, 401, { success: false, error: turkish });
  });

  await client.group("4.3 recovery", async () => {
    const recover = (label: string, interim_token: unknown, recovery_code: unknown) =>
      client.post(`4.3 recovery, ${label}`, RECOVERY, { interim_token, recovery_code });
    const count = async (label: string) =>
      (await client.get(label, "/api/profile/2fa/methods", mail)).number("recovery_codes_count");
    const [code] = app.recoveryCodes;
    const before = await count("4.3 recovery: codes before");
    const interim_token = await world.interimToken(person, "recovery");
    const reply = await recover("an unused code", interim_token, code);
    client.expectFields(reply, 200, SIGNED_IN);
    const own = await client.get("5.2 the token of a recovery", "/api/user", { token: reply.text("token") });
    client.expectRow(own, 200, { "user.id": person.id });
    const after = await count("4.3 recovery: codes after");
    client.check("3 recovery: the code is consumed", reply, after === before - 1, `${before - 1}`, after);

    const open = await world.interimToken(person, "recovery again");
    client.expectFields(await recover("a code that was used", open, code), 422, {
      success: false,
      error: turkish,
    });
    client.expectRow(await recover("an unknown code", open, "AAAA-BBBB-CCCC-DDDD"), 422, {
      success: false,
    });
    client.expectInvalid(await recover("recovery_code left out", open, undefined), "recovery_code");
    client.expectInvalid(await recover("interim_token left out", undefined, code), "interim_token");
    client.expectInvalid(await recover("recovery_code a number", open, 12345678), "recovery_code");
    const unknown = await recover("an unknown interim token", "dsi_unknown", code);
    client.expectRow(unknown, 401, { success: false, error: text });
  });
}

/** docs/contract.md 8: at most five wrong codes per interim token and fifteen per account. */
export async function wrongCodes(client: Client, world: World): Promise<void> {
  const wrong = (label: string, interim_token: string, recovery = false): Promise<Reply> => {
    const body = recovery
      ? { interim_token, recovery_code: "AAAA-BBBB-CCCC-DDDD" }
      : { interim_token, method: "totp", code: "000000" };
    return client.post(label, recovery ? RECOVERY : CHALLENGE, body, { provoked: true });
  };
  const sendFiveCodes = async (what: string, interim: string) => {
    for (let number = 1; number <= 5; number++)
      client.expectRow(await wrong(`8 wrong 2FA codes, ${what}: code ${number}`, interim), 422, {
        success: false,
      });
  };

  await client.group("8 wrong 2FA codes of one interim token", async () => {
    const person = await personWithTotp(world);
    const interim = await world.interimToken(person, "five wrong codes");
    await sendFiveCodes("one interim token", interim);
    const sixth = await wrong("8 wrong 2FA codes, one interim token: code 6", interim);
    client.expectFields(sixth, 429, THROTTLED);
    checkRetryAfter(client, sixth);
    const recovery = await wrong(
      "8 wrong 2FA codes, one interim token: a recovery code afterwards",
      interim,
      true,
    );
    client.expectRow(recovery, 429, { success: false, error: text });
    client.expectRow(await world.login("8 wrong 2FA codes: another sign-in is possible", person.email), 200, {
      requires_2fa: true,
    });
  });

  await client.group("8 wrong 2FA codes of one account", async () => {
    const person = await personWithTotp(world);
    for (const turn of ["first", "second", "third"])
      await sendFiveCodes(
        `${turn} interim token of an account`,
        await world.interimToken(person, `${turn} five wrong codes`),
      );
    const interim = await world.interimToken(person, "sixteenth wrong code");
    const reply = await wrong("8 wrong 2FA codes, one account: code 16", interim);
    client.expectFields(reply, 429, THROTTLED);
    checkRetryAfter(client, reply);
  });
}

async function personWithTotp(world: World): Promise<Person> {
  const person = await world.person();
  await world.totp(person);
  return person;
}

/** docs/contract.md 7: `Retry-After` is in seconds and equals `retry_after` of the body, if present. */
export function checkRetryAfter(client: Client, reply: Reply): void {
  const header = reply.headers.get("retry-after") ?? "";
  const inBody = reply.at("retry_after");
  const isValid = /^[1-9]\d*$/.test(header) && (inBody === undefined || String(inBody) === header);
  client.check(`7 Retry-After of: ${reply.label}`, reply, isValid, "seconds", header);
}
