import type { Client, Reply } from "./client";
import { CODE_PATTERN } from "./mail";
import {
  absent,
  boolean,
  containing,
  integer,
  list,
  nonEmptyString,
  orNull,
  positiveInteger,
  secret,
  string,
  timestamp,
  turkishText,
} from "./matchers";
import { INTERIM_FIELDS, SIGN_IN_FIELDS } from "./sign-in";
import type { Person, World } from "./world";

const CHALLENGE_PATH = "/api/auth/2fa/challenge";
const RECOVERY_PATH = "/api/auth/2fa/recovery";
const SEND_CODE_PATH = "/api/auth/2fa/send-code";

export const THROTTLED_FIELDS = {
  success: false,
  error: turkishText,
  retry_after: positiveInteger,
  message: nonEmptyString,
};

/** docs/contract.md 4.3, with the interim states of 3. */
export async function checkSecondFactor(client: Client, world: World): Promise<void> {
  const sendChallenge = (label: string, interim_token: unknown, code: unknown, method: unknown = "totp") =>
    client.post(`4.3 challenge, ${label}`, CHALLENGE_PATH, { interim_token, method, code });

  await client.runGroup("4.3 methods", async () => {
    const path = "/api/profile/2fa/methods";
    const person = await world.createPerson();
    const { token } = person;
    client.expectRow(await client.get("4.3 methods, none configured", path, { token }), 200, {
      methods: [],
      recovery_codes_count: 0,
    });
    await world.enableTotp(person);
    const reply = await client.get("4.3 methods", path, { token });
    client.expectFields(reply, 200, {
      success: true,
      methods: list,
      data: list,
      recovery_codes_count: positiveInteger,
      "methods.0.method": "totp",
      "methods.0.enabled": true,
      "methods.0.is_default": boolean,
      "methods.0.masked_destination": orNull(string),
      "methods.0.confirmed_at": timestamp,
      "methods.0.last_used_at": orNull(timestamp),
    });
  });

  const person = await world.createPerson();
  const app = await world.enableTotp(person);
  const personOptions = { token: person.token };
  await client.post("preparation: codes by e-mail", "/api/profile/2fa/email", {}, personOptions);

  await client.runGroup("4.3 challenge", async () => {
    const signInReply = await world.signIn("4.2 login with two methods", person.email);
    client.expectFields(signInReply, 200, {
      ...INTERIM_FIELDS,
      available_methods: containing("totp", "email"),
      user: absent,
    });
    const interim_token = signInReply.textAt("interim_token");
    const bearerReply = await client.get("5.4 an interim token is no access token", "/api/user", {
      token: interim_token,
    });
    client.expectRow(bearerReply, 401, { message: "Unauthenticated." });
    const wrongReply = await sendChallenge("a wrong code", interim_token, "000000");
    client.expectFields(wrongReply, 422, { success: false, error: turkishText, token: absent });
    const reply = await sendChallenge(
      "the right code after a wrong one",
      interim_token,
      await app.generateCode(),
    );
    client.expectFields(reply, 200, SIGN_IN_FIELDS);
    const ownReply = await client.get("5.2 the token of a challenge", "/api/user", {
      token: reply.textAt("token"),
    });
    client.expectRow(ownReply, 200, { "user.id": person.id });
    const replayedReply = await sendChallenge(
      "an interim token that was used",
      interim_token,
      await app.generateCode(),
    );
    client.expectFields(replayedReply, 401, { success: false, error: turkishText });
    const unknownReply = await sendChallenge("an unknown interim token", "dsi_unknown", "123456");
    client.expectRow(unknownReply, 401, { success: false, error: nonEmptyString });

    const unusedInterimToken = await world.createInterimToken(person, "validation");
    for (const field of ["interim_token", "method", "code"]) {
      const body = { interim_token: unusedInterimToken, method: "totp", code: "123456", [field]: undefined };
      client.expectInvalid(
        await client.post(`4.3 challenge, ${field} left out`, CHALLENGE_PATH, body),
        field,
      );
    }
    client.expectInvalid(
      await sendChallenge("an unknown method", unusedInterimToken, "123456", "fax"),
      "method",
    );
    client.expectInvalid(
      await sendChallenge("a method that is not enabled", unusedInterimToken, "123456", "sms"),
      "method",
    );
    client.expectInvalid(await sendChallenge("code a number", unusedInterimToken, 123456), "code");
    client.expectInvalid(
      await sendChallenge("interim_token a list", [unusedInterimToken], "123456"),
      "interim_token",
    );
  });

  await client.runGroup("4.3 send-code", async () => {
    const interim_token = await world.createInterimToken(person, "send-code");
    const send = (label: string, body: Record<string, unknown>) =>
      client.post(`4.3 send-code, ${label}`, SEND_CODE_PATH, body);
    client.expectRow(await send("totp, where it is unnecessary", { interim_token, method: "totp" }), 200, {
      success: true,
    });
    client.expectFields(await send("email", { interim_token, method: "email" }), 200, {
      success: true,
      message: nonEmptyString,
      method: "email",
      masked_destination: nonEmptyString,
      expires_in: integer,
      resend_after: integer,
    });
    const code = await world.waitForMail(person.email, CODE_PATTERN);
    client.addCheck("4.3 send-code, email: a code is mailed", null, /^\d{6}$/.test(code), "six digits", code);
    client.expectRow(await sendChallenge("the mailed code", interim_token, code, "email"), 200, {
      token: secret,
    });

    const unusedInterimToken = await world.createInterimToken(person, "send-code refused");
    client.expectInvalid(
      await send("a method that is not enabled", { interim_token: unusedInterimToken, method: "sms" }),
      "method",
    );
    client.expectInvalid(
      await send("an unknown method", { interim_token: unusedInterimToken, method: "fax" }),
      "method",
    );
    client.expectInvalid(await send("method left out", { interim_token: unusedInterimToken }), "method");
    client.expectInvalid(await send("interim_token left out", { method: "email" }), "interim_token");
    const unknownReply = await send("an unknown interim token", {
      interim_token: "dsi_unknown",
      method: "email",
    });
    client.expectFields(unknownReply, 401, { success: false, error: turkishText });
  });

  await client.runGroup("4.3 recovery", async () => {
    const recover = (label: string, interim_token: unknown, recovery_code: unknown) =>
      client.post(`4.3 recovery, ${label}`, RECOVERY_PATH, { interim_token, recovery_code });
    const countRecoveryCodes = async (label: string) =>
      (await client.get(label, "/api/profile/2fa/methods", personOptions)).numberAt("recovery_codes_count");
    const [code] = app.recoveryCodes;
    const countBefore = await countRecoveryCodes("4.3 recovery: codes before");
    const interim_token = await world.createInterimToken(person, "recovery");
    const reply = await recover("an unused code", interim_token, code);
    client.expectFields(reply, 200, SIGN_IN_FIELDS);
    const ownReply = await client.get("5.2 the token of a recovery", "/api/user", {
      token: reply.textAt("token"),
    });
    client.expectRow(ownReply, 200, { "user.id": person.id });
    const countAfter = await countRecoveryCodes("4.3 recovery: codes after");
    client.addCheck(
      "3 recovery: the code is consumed",
      reply,
      countAfter === countBefore - 1,
      `${countBefore - 1}`,
      countAfter,
    );

    const unusedInterimToken = await world.createInterimToken(person, "recovery again");
    client.expectFields(await recover("a code that was used", unusedInterimToken, code), 422, {
      success: false,
      error: turkishText,
    });
    client.expectRow(await recover("an unknown code", unusedInterimToken, "AAAA-BBBB-CCCC-DDDD"), 422, {
      success: false,
    });
    client.expectInvalid(
      await recover("recovery_code left out", unusedInterimToken, undefined),
      "recovery_code",
    );
    client.expectInvalid(await recover("interim_token left out", undefined, code), "interim_token");
    client.expectInvalid(
      await recover("recovery_code a number", unusedInterimToken, 12345678),
      "recovery_code",
    );
    const unknownReply = await recover("an unknown interim token", "dsi_unknown", code);
    client.expectRow(unknownReply, 401, { success: false, error: nonEmptyString });
  });
}

/** docs/contract.md 8: at most five wrong codes per interim token and fifteen per account. */
export async function checkWrongCodes(client: Client, world: World): Promise<void> {
  const sendWrongCode = (label: string, interim_token: string, isRecovery = false): Promise<Reply> => {
    const body = isRecovery
      ? { interim_token, recovery_code: "AAAA-BBBB-CCCC-DDDD" }
      : { interim_token, method: "totp", code: "000000" };
    return client.post(label, isRecovery ? RECOVERY_PATH : CHALLENGE_PATH, body, { allowsThrottling: true });
  };
  const sendFiveWrongCodes = async (variant: string, interimToken: string) => {
    for (let number = 1; number <= 5; number++)
      client.expectRow(
        await sendWrongCode(`8 wrong 2FA codes, ${variant}: code ${number}`, interimToken),
        422,
        {
          success: false,
        },
      );
  };

  await client.runGroup("8 wrong 2FA codes of one interim token", async () => {
    const person = await createPersonWithTotp(world);
    const interimToken = await world.createInterimToken(person, "five wrong codes");
    await sendFiveWrongCodes("one interim token", interimToken);
    const sixthReply = await sendWrongCode("8 wrong 2FA codes, one interim token: code 6", interimToken);
    client.expectFields(sixthReply, 429, THROTTLED_FIELDS);
    checkRetryAfter(client, sixthReply);
    const recoveryReply = await sendWrongCode(
      "8 wrong 2FA codes, one interim token: a recovery code afterwards",
      interimToken,
      true,
    );
    client.expectRow(recoveryReply, 429, { success: false, error: nonEmptyString });
    client.expectRow(
      await world.signIn("8 wrong 2FA codes: another sign-in is possible", person.email),
      200,
      {
        requires_2fa: true,
      },
    );
  });

  await client.runGroup("8 wrong 2FA codes of one account", async () => {
    const person = await createPersonWithTotp(world);
    for (const turn of ["first", "second", "third"])
      await sendFiveWrongCodes(
        `${turn} interim token of an account`,
        await world.createInterimToken(person, `${turn} five wrong codes`),
      );
    const interimToken = await world.createInterimToken(person, "sixteenth wrong code");
    const reply = await sendWrongCode("8 wrong 2FA codes, one account: code 16", interimToken);
    client.expectFields(reply, 429, THROTTLED_FIELDS);
    checkRetryAfter(client, reply);
  });
}

async function createPersonWithTotp(world: World): Promise<Person> {
  const person = await world.createPerson();
  await world.enableTotp(person);
  return person;
}

/** docs/contract.md 7: `Retry-After` is in seconds and equals `retry_after` of the body, if present. */
export function checkRetryAfter(client: Client, reply: Reply): void {
  const header = reply.headers.get("retry-after") ?? "";
  const bodyValue = reply.valueAt("retry_after");
  const isValid = /^[1-9]\d*$/.test(header) && (bodyValue === undefined || String(bodyValue) === header);
  client.addCheck(`7 Retry-After of: ${reply.label}`, reply, isValid, "seconds", header);
}
