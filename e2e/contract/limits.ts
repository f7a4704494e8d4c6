import type { Client, Reply } from "./client";
import { I18N_FROM } from "./locales";
import { absent, text } from "./matchers";
import { RESET, RESET_FROM } from "./reset";
import { checkRetryAfter, THROTTLED } from "./second-factor";
import type { World } from "./world";

/** All these calls use one address, because production counts by address. */
const LOGIN_FROM = "10.202.0.1";
const LOGIN = "/api/auth/login";
const INVALID = { email: "plain", id_token: 5 };
const SHORT_BODY = { message: "Too Many Attempts.", retry_after: absent };

/** docs/contract.md 7 and 8: the named limits. Each one blocks an address, so they run last. */
export async function limits(client: Client, world: World): Promise<void> {
  await client.group("8 reset-password", async () => {
    let reply: Reply | undefined;
    let calls = countCalls(client, "POST", RESET, RESET_FROM);
    client.check("8 reset-password: eight calls are answered", null, calls === 8, "8", calls);
    for (; calls < 20 && reply?.status !== 429; calls++) {
      const body = {
        token: "dsr_unknown",
        email: "nobody@example.com",
        password: "Kiraz-42",
        password_confirmation: "Kiraz-42",
      };
      reply = await client.post("8 reset-password, one call too many", RESET, body, {
        from: RESET_FROM,
        provoked: true,
      });
    }
    client.check("8 reset-password: the ninth is 429", reply ?? null, calls === 9, "9", calls);
    client.expectFields(reply!, 429, SHORT_BODY);
    checkRetryAfter(client, reply!);
  });

  await client.group("8 sign-in failures of one account", async () => {
    const person = await world.person();
    const fail = (number: number) =>
      client.post(
        `8 sign-in failures of one account: number ${number}`,
        LOGIN,
        { email: person.email, password: "Yanlis-Parola-1" },
        { from: LOGIN_FROM, provoked: true },
      );
    for (let number = 1; number <= 5; number++)
      client.expectRow(await fail(number), 401, { success: false, error: text });
    const sixth = await fail(6);
    client.expectFields(sixth, 429, THROTTLED);
    checkRetryAfter(client, sixth);
    const other = await world.person();
    const success = await client.post(
      "8 sign-in failures of one account: another account signs in",
      LOGIN,
      { email: other.email, password: "Kiraz-Vadisi-42" },
      { from: LOGIN_FROM },
    );
    client.expectRow(success, 200, { "user.id": other.id });
  });

  await client.group("8 sign-in failures of one address", async () => {
    let reply: Reply | undefined;
    for (let number = 1; number <= 21 && reply?.status !== 429; number++)
      reply = await client.post(
        "8 sign-in failures of one address, one too many",
        LOGIN,
        { email: `nobody.${number}@example.com`, password: "Yanlis-Parola-1" },
        { from: LOGIN_FROM, provoked: true },
      );
    const failures = client.count("POST", LOGIN, 401, LOGIN_FROM);
    client.check(
      "8 sign-in failures of one address: twenty are accepted",
      reply!,
      failures === 20,
      "20",
      failures,
    );
    client.expectFields(reply!, 429, THROTTLED);
    checkRetryAfter(client, reply!);
  });

  await client.group("8 i18n responses", async () => {
    let reply: Reply | undefined;
    let calls = 0;
    // Twice the limit: the first window may end in between.
    for (; calls <= 240 && reply?.status !== 429; calls++)
      reply = await client.get("8 i18n responses, one too many", "/api/i18n/meta", {
        from: I18N_FROM,
        provoked: true,
      });
    client.expectFields(reply!, 429, SHORT_BODY);
    checkRetryAfter(client, reply!);
    const other = await client.get(
      "8 i18n responses: other operations are not limited",
      "/api/subscription-plans",
    );
    client.expectRow(other, 401, { message: "Unauthenticated." });
  });
}

/**
 * Limits that docs/contract.md 8 does not name apply in production only. Invalid fields do not count. Only
 * the responses of sign-in operations contain `retry_after`.
 */
export async function productionLimits(client: Client, world: World): Promise<void> {
  let addresses = 0;
  const garbage = { id_token: "not.a.token" };
  const unknown = { email: "nobody@example.com" };
  const rows: Array<[string, number, () => unknown, object]> = [
    ["/api/auth/register", 5, () => world.registration(), SHORT_BODY],
    ["/api/auth/resend-verification", 5, () => unknown, SHORT_BODY],
    ["/api/auth/forgot-password", 5, () => unknown, SHORT_BODY],
    ["/api/auth/google", 20, () => garbage, THROTTLED],
    ["/api/auth/apple", 20, () => garbage, THROTTLED],
    ["/api/auth/passkey/login/options", 30, () => unknown, THROTTLED],
  ];
  for (const [path, points, body, shape] of rows) {
    await client.group(`7 a limit of ${path}`, async () => {
      const from = `10.203.0.${++addresses}`;
      const send = (label: string, sent: unknown, provoked = false) =>
        client.post(`7 POST ${path}, ${label}`, path, sent, { from, provoked, varies: true });
      for (let number = 1; number <= points; number++) await send("refused fields", INVALID, true);
      client.expectRow(await send("more refused fields than the limit", INVALID, true), 422);
      let reply = await send("the first valid call", body(), true);
      let calls = 1;
      for (; reply.status !== 429 && calls <= points; calls++)
        reply = await send("one call too many in production", body(), true);
      client.check(
        `7 POST ${path}: ${points} are accepted`,
        reply,
        calls === points + 1,
        `${points}`,
        calls - 1,
      );
      client.expectFields(reply, 429, { ...shape });
      checkRetryAfter(client, reply);
    });
  }

  await client.group("7 a limit of send-code", async () => {
    const person = await world.person();
    await client.post("preparation: codes by e-mail", "/api/profile/2fa/email", {}, { token: person.token });
    const body = { interim_token: await world.interimToken(person, "two codes"), method: "email" };
    const options = { provoked: true, varies: true };
    const path = "/api/auth/2fa/send-code";
    client.expectRow(await client.post("7 send-code, a first code", path, body, options), 200, {
      success: true,
    });
    const second = await client.post("7 send-code, a second code immediately", path, body, options);
    client.expectFields(second, 429, THROTTLED);
    checkRetryAfter(client, second);
  });
}

function countCalls(client: Client, method: string, path: string, from: string): number {
  return [200, 400, 422].reduce((sum, status) => sum + client.count(method, path, status, from), 0);
}
