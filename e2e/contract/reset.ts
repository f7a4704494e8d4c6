import type { Client } from "./client";
import { absent, equal, flag, integer, listOf, oneOf, orNull, secret, string, text } from "./matchers";
import type { Person, World } from "./world";

export const RESET = "/api/auth/reset-password";
/** One address, because production counts by address. */
export const RESET_FROM = "10.200.0.1";
const NEXT = "Yeni-Parola-77";

/** docs/contract.md 4.2. Calls reset-password exactly eight times: limits.ts continues the count. */
export async function passwordReset(client: Client, world: World): Promise<void> {
  const requestLink = async ({ email }: Person) => {
    await client.post(`preparation: link for ${email}`, "/api/auth/forgot-password", { email });
    return world.mailed(email, /dsr_\w+/);
  };
  const reset = (label: string, body: Record<string, unknown>) =>
    client.post(`4.2 reset-password, ${label}`, RESET, body, { from: RESET_FROM });
  const resetBody = (token: string, { email }: { email: string }) => ({
    token,
    email,
    password: NEXT,
    password_confirmation: NEXT,
  });

  await client.group("4.2 forgot-password", async () => {
    const path = "/api/auth/forgot-password";
    const person = await world.person();
    const reply = await client.post("4.2 forgot-password", path, { email: person.email });
    client.expectFields(reply, 200, { success: true, message: text });
    const token = await world.mailed(person.email, /dsr_\w+/);
    client.check("4.2 forgot-password: a reset link is sent", reply, token !== "", "a mail", token);
    const unknown = await client.post("4.2 forgot-password, an unknown address", path, {
      email: "nobody@example.com",
    });
    client.expectRow(unknown, 200, {
      success: true,
      message: equal(reply.at("message"), "that of a known address"),
    });
    for (const [what, email] of [
      ["left out", undefined],
      ["null", null],
      ["empty", ""],
      ["no address", "ayse@"],
      ["a number", 7],
    ] as const)
      client.expectInvalid(await client.post(`4.2 forgot-password, email ${what}`, path, { email }), "email");
  });

  await client.group("4.2 reset-password, auto-login", async () => {
    const person = await world.person();
    const body = resetBody(await requestLink(person), person);
    const reply = await reset("all gates open", body);
    client.expectFields(reply, 200, {
      success: true,
      message: text,
      auto_login: true,
      "user.id": integer,
      "user.name": text,
      "user.email": person.email,
      "user.role": "user",
      token: secret,
      modules: listOf(string),
    });
    const own = await client.get("5.2 the token of a password reset", "/api/user", {
      token: reply.text("token"),
    });
    client.expectRow(own, 200, { "user.id": person.id });
    client.expectRow(await world.login("3 reset: the new password signs in", person.email, NEXT), 200, {
      token: secret,
    });
    client.expectRow(await world.login("3 reset: the old password does not", person.email), 401, {
      success: false,
    });
    const used = await reset("a link that was used", body);
    client.expectFields(used, 400, { success: false, message: text, token: absent });
  });

  await client.group("4.2 reset-password, a second factor", async () => {
    const person = await world.person();
    await world.totp(person);
    client.expectFields(
      await reset("with a second factor", resetBody(await requestLink(person), person)),
      200,
      {
        success: true,
        message: text,
        auto_login: false,
        requires_2fa: true,
        method: oneOf("totp", "email"),
        interim_token: secret,
        has_totp: true,
        has_email_fallback: flag,
        masked_email: text,
        has_recovery_codes: true,
        token: absent,
      },
    );
    const after = await world.login(
      "4.2 reset-password, with a second factor: the password has changed",
      person.email,
      NEXT,
    );
    client.expectRow(after, 200, { requires_2fa: true });
  });

  await client.group("4.2 reset-password, an unverified address", async () => {
    const person = await world.person({ email_verified_at: null, is_active: false });
    const reply = await reset("unverified and passive", resetBody(await requestLink(person), person));
    client.expectFields(reply, 200, {
      success: true,
      message: text,
      auto_login: false,
      requires_verification: true,
      email: text,
      token: absent,
      account_disabled: absent,
    });
    const after = await world.login(
      "4.2 reset-password, unverified: the password has changed",
      person.email,
      NEXT,
    );
    client.expectRow(after, 403, { requires_verification: true });
  });

  await client.group("4.2 reset-password, a passive account", async () => {
    const person = await world.person();
    await world.totp(person);
    await world.set(person, { is_active: false });
    const reply = await reset("passive, with a second factor", resetBody(await requestLink(person), person));
    client.expectFields(reply, 200, {
      success: true,
      message: text,
      auto_login: false,
      account_disabled: true,
      "contact.source": text,
      "contact.name": orNull(string),
      "contact.email": orNull(string),
      "contact.phone": orNull(string),
      "contact.message": text,
      token: absent,
      interim_token: absent,
    });
    const after = await world.login(
      "4.2 reset-password, passive: the password has changed",
      person.email,
      NEXT,
    );
    client.expectRow(after, 403, { account_disabled: true });
  });

  await client.group("4.2 reset-password, refused", async () => {
    const unknown = await reset("an unknown link", resetBody("dsr_unknown", { email: "nobody@example.com" }));
    client.expectFields(unknown, 400, { success: false, message: text, error: absent });
    const empty = await reset("an empty object", {});
    for (const field of ["token", "email", "password"]) client.expectInvalid(empty, field);
    const short = {
      token: "dsr_unknown",
      email: "plain",
      password: "Kiraz-4",
      password_confirmation: "Kiraz-5",
    };
    const wrong = await reset("every field wrong", short);
    for (const field of ["email", "password", "password_confirmation"]) client.expectInvalid(wrong, field);
  });
}
