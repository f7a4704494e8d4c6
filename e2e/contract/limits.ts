import type { Client, Reply } from "./client";
import { I18N_CLIENT_ADDRESS } from "./locales";
import { absent, nonEmptyString } from "./matchers";
import { RESET_CLIENT_ADDRESS, RESET_PATH } from "./reset";
import { checkRetryAfter, THROTTLED_FIELDS } from "./second-factor";
import type { World } from "./world";

/** All these calls use one address, because production counts by address. */
const LOGIN_CLIENT_ADDRESS = "10.202.0.1";
const LOGIN_PATH = "/api/auth/login";
const INVALID_FIELDS = { email: "plain", id_token: 5 };
const THROTTLED_FIELDS_WITHOUT_DELAY = { message: "Too Many Attempts.", retry_after: absent };

/** docs/contract.md 7 and 8: the named limits. Each one blocks an address, so they run last. */
export async function checkLimits(client: Client, world: World): Promise<void> {
  await client.runGroup("8 reset-password", async () => {
    let reply: Reply | undefined;
    let callCount = countCalls(client, "POST", RESET_PATH, RESET_CLIENT_ADDRESS);
    client.addCheck("8 reset-password: eight calls are answered", null, callCount === 8, "8", callCount);
    for (; callCount < 20 && reply?.status !== 429; callCount++) {
      const body = {
        token: "dsr_unknown",
        email: "nobody@example.com",
        password: "Kiraz-42",
        password_confirmation: "Kiraz-42",
      };
      reply = await client.post("8 reset-password, one call too many", RESET_PATH, body, {
        clientAddress: RESET_CLIENT_ADDRESS,
        allowsThrottling: true,
      });
    }
    client.addCheck("8 reset-password: the ninth is 429", reply ?? null, callCount === 9, "9", callCount);
    client.expectFields(reply!, 429, THROTTLED_FIELDS_WITHOUT_DELAY);
    checkRetryAfter(client, reply!);
  });

  await client.runGroup("8 sign-in failures of one account", async () => {
    const person = await world.createPerson();
    const failSignIn = (number: number) =>
      client.post(
        `8 sign-in failures of one account: number ${number}`,
        LOGIN_PATH,
        { email: person.email, password: "Yanlis-Parola-1" },
        { clientAddress: LOGIN_CLIENT_ADDRESS, allowsThrottling: true },
      );
    for (let number = 1; number <= 5; number++)
      client.expectRow(await failSignIn(number), 401, { success: false, error: nonEmptyString });
    const sixthReply = await failSignIn(6);
    client.expectFields(sixthReply, 429, THROTTLED_FIELDS);
    checkRetryAfter(client, sixthReply);
    const otherPerson = await world.createPerson();
    const successReply = await client.post(
      "8 sign-in failures of one account: another account signs in",
      LOGIN_PATH,
      { email: otherPerson.email, password: "Kiraz-Vadisi-42" },
      { clientAddress: LOGIN_CLIENT_ADDRESS },
    );
    client.expectRow(successReply, 200, { "user.id": otherPerson.id });
  });

  await client.runGroup("8 sign-in failures of one address", async () => {
    let reply: Reply | undefined;
    for (let number = 1; number <= 21 && reply?.status !== 429; number++)
      reply = await client.post(
        "8 sign-in failures of one address, one too many",
        LOGIN_PATH,
        { email: `nobody.${number}@example.com`, password: "Yanlis-Parola-1" },
        { clientAddress: LOGIN_CLIENT_ADDRESS, allowsThrottling: true },
      );
    const failureCount = client.countResponses("POST", LOGIN_PATH, 401, LOGIN_CLIENT_ADDRESS);
    client.addCheck(
      "8 sign-in failures of one address: twenty are accepted",
      reply!,
      failureCount === 20,
      "20",
      failureCount,
    );
    client.expectFields(reply!, 429, THROTTLED_FIELDS);
    checkRetryAfter(client, reply!);
  });

  await client.runGroup("8 i18n responses", async () => {
    let reply: Reply | undefined;
    let callCount = 0;
    // Twice the limit: the first window may end in between.
    for (; callCount <= 240 && reply?.status !== 429; callCount++)
      reply = await client.get("8 i18n responses, one too many", "/api/i18n/meta", {
        clientAddress: I18N_CLIENT_ADDRESS,
        allowsThrottling: true,
      });
    client.expectFields(reply!, 429, THROTTLED_FIELDS_WITHOUT_DELAY);
    checkRetryAfter(client, reply!);
    const otherReply = await client.get(
      "8 i18n responses: other operations are not limited",
      "/api/subscription-plans",
    );
    client.expectRow(otherReply, 401, { message: "Unauthenticated." });
  });
}

/** Limits that docs/contract.md 8 does not name. Only responses of sign-in contain `retry_after`. */
export async function checkProductionLimits(client: Client, world: World): Promise<void> {
  let addressCount = 0;
  const invalidToken = { id_token: "not.a.token" };
  const unknownAddress = { email: "nobody@example.com" };
  const rows: Array<[path: string, limit: number, createBody: () => unknown, shape: object]> = [
    ["/api/auth/register", 5, () => world.buildRegistration(), THROTTLED_FIELDS_WITHOUT_DELAY],
    ["/api/auth/resend-verification", 5, () => unknownAddress, THROTTLED_FIELDS_WITHOUT_DELAY],
    ["/api/auth/forgot-password", 5, () => unknownAddress, THROTTLED_FIELDS_WITHOUT_DELAY],
    ["/api/auth/google", 20, () => invalidToken, THROTTLED_FIELDS],
    ["/api/auth/apple", 20, () => invalidToken, THROTTLED_FIELDS],
    ["/api/auth/passkey/login/options", 30, () => unknownAddress, THROTTLED_FIELDS],
  ];
  for (const [path, limit, createBody, expectedFields] of rows) {
    await client.runGroup(`7 a limit of ${path}`, async () => {
      const clientAddress = `10.203.0.${++addressCount}`;
      const send = (label: string, requestBody: unknown, allowsThrottling = false) =>
        client.post(`7 POST ${path}, ${label}`, path, requestBody, {
          clientAddress,
          allowsThrottling,
          varies: true,
        });
      for (let number = 1; number <= limit; number++) await send("refused fields", INVALID_FIELDS, true);
      client.expectRow(await send("more refused fields than the limit", INVALID_FIELDS, true), 422);
      let reply = await send("the first valid call", createBody(), true);
      let callCount = 1;
      for (; reply.status !== 429 && callCount <= limit; callCount++)
        reply = await send("one call too many in production", createBody(), true);
      client.addCheck(
        `7 POST ${path}: ${limit} are accepted`,
        reply,
        callCount === limit + 1,
        `${limit}`,
        callCount - 1,
      );
      client.expectFields(reply, 429, { ...expectedFields });
      checkRetryAfter(client, reply);
    });
  }

  await client.runGroup("7 a limit of send-code", async () => {
    const person = await world.createPerson();
    await client.post("preparation: codes by e-mail", "/api/profile/2fa/email", {}, { token: person.token });
    const body = { interim_token: await world.createInterimToken(person, "two codes"), method: "email" };
    const options = { allowsThrottling: true, varies: true };
    const path = "/api/auth/2fa/send-code";
    client.expectRow(await client.post("7 send-code, a first code", path, body, options), 200, {
      success: true,
    });
    const secondReply = await client.post("7 send-code, a second code immediately", path, body, options);
    client.expectFields(secondReply, 429, THROTTLED_FIELDS);
    checkRetryAfter(client, secondReply);
  });
}

function countCalls(client: Client, method: string, path: string, clientAddress: string): number {
  return [200, 400, 422].reduce(
    (sum, status) => sum + client.countResponses(method, path, status, clientAddress),
    0,
  );
}
