import type { Client } from "./client";
import {
  absent,
  boolean,
  equalTo,
  integer,
  listOf,
  nonEmptyString,
  oneOf,
  orNull,
  secret,
  string,
} from "./matchers";
import type { Person, World } from "./world";

export const RESET_PATH = "/api/auth/reset-password";
export const RESET_CLIENT_ADDRESS = "10.200.0.1";
const NEW_PASSWORD = "Yeni-Parola-77";

/** docs/contract.md 4.2. Calls reset-password exactly eight times: limits.ts continues the count. */
export async function checkPasswordReset(client: Client, world: World): Promise<void> {
  const requestLink = async ({ email }: Person) => {
    await client.post(`preparation: link for ${email}`, "/api/auth/forgot-password", { email });
    return world.waitForMail(email, /dsr_\w+/);
  };
  const sendReset = (label: string, body: Record<string, unknown>) =>
    client.post(`4.2 reset-password, ${label}`, RESET_PATH, body, { clientAddress: RESET_CLIENT_ADDRESS });
  const buildResetBody = (token: string, { email }: { email: string }) => ({
    token,
    email,
    password: NEW_PASSWORD,
    password_confirmation: NEW_PASSWORD,
  });

  await client.runGroup("4.2 forgot-password", async () => {
    const path = "/api/auth/forgot-password";
    const person = await world.createPerson();
    const reply = await client.post("4.2 forgot-password", path, { email: person.email });
    client.expectFields(reply, 200, { success: true, message: nonEmptyString });
    const token = await world.waitForMail(person.email, /dsr_\w+/);
    client.addCheck("4.2 forgot-password: a reset link is sent", reply, token !== "", "a mail", token);
    const unknownReply = await client.post("4.2 forgot-password, an unknown address", path, {
      email: "nobody@example.com",
    });
    client.expectRow(unknownReply, 200, {
      success: true,
      message: equalTo(reply.valueAt("message"), "that of a known address"),
    });
    for (const [variant, email] of [
      ["left out", undefined],
      ["null", null],
      ["empty", ""],
      ["no address", "ayse@"],
      ["a number", 7],
    ] as const)
      client.expectInvalid(
        await client.post(`4.2 forgot-password, email ${variant}`, path, { email }),
        "email",
      );
  });

  await client.runGroup("4.2 reset-password, auto-login", async () => {
    const person = await world.createPerson();
    const body = buildResetBody(await requestLink(person), person);
    const reply = await sendReset("all gates open", body);
    client.expectFields(reply, 200, {
      success: true,
      message: nonEmptyString,
      auto_login: true,
      "user.id": integer,
      "user.name": nonEmptyString,
      "user.email": person.email,
      "user.role": "user",
      token: secret,
      modules: listOf(string),
    });
    const ownReply = await client.get("5.2 the token of a password reset", "/api/user", {
      token: reply.textAt("token"),
    });
    client.expectRow(ownReply, 200, { "user.id": person.id });
    client.expectRow(
      await world.signIn("3 reset: the new password signs in", person.email, NEW_PASSWORD),
      200,
      {
        token: secret,
      },
    );
    client.expectRow(await world.signIn("3 reset: the old password does not", person.email), 401, {
      success: false,
    });
    const usedLinkReply = await sendReset("a link that was used", body);
    client.expectFields(usedLinkReply, 400, { success: false, message: nonEmptyString, token: absent });
  });

  await client.runGroup("4.2 reset-password, a second factor", async () => {
    const person = await world.createPerson();
    await world.enableTotp(person);
    client.expectFields(
      await sendReset("with a second factor", buildResetBody(await requestLink(person), person)),
      200,
      {
        success: true,
        message: nonEmptyString,
        auto_login: false,
        requires_2fa: true,
        method: oneOf("totp", "email"),
        interim_token: secret,
        has_totp: true,
        has_email_fallback: boolean,
        masked_email: nonEmptyString,
        has_recovery_codes: true,
        token: absent,
      },
    );
    const signInReply = await world.signIn(
      "4.2 reset-password, with a second factor: the password has changed",
      person.email,
      NEW_PASSWORD,
    );
    client.expectRow(signInReply, 200, { requires_2fa: true });
  });

  await client.runGroup("4.2 reset-password, an unverified address", async () => {
    const person = await world.createPerson({ email_verified_at: null, is_active: false });
    const reply = await sendReset(
      "unverified and passive",
      buildResetBody(await requestLink(person), person),
    );
    client.expectFields(reply, 200, {
      success: true,
      message: nonEmptyString,
      auto_login: false,
      requires_verification: true,
      email: nonEmptyString,
      token: absent,
      account_disabled: absent,
    });
    const signInReply = await world.signIn(
      "4.2 reset-password, unverified: the password has changed",
      person.email,
      NEW_PASSWORD,
    );
    client.expectRow(signInReply, 403, { requires_verification: true });
  });

  await client.runGroup("4.2 reset-password, a passive account", async () => {
    const person = await world.createPerson();
    await world.enableTotp(person);
    await world.updateUser(person, { is_active: false });
    const reply = await sendReset(
      "passive, with a second factor",
      buildResetBody(await requestLink(person), person),
    );
    client.expectFields(reply, 200, {
      success: true,
      message: nonEmptyString,
      auto_login: false,
      account_disabled: true,
      "contact.source": nonEmptyString,
      "contact.name": orNull(string),
      "contact.email": orNull(string),
      "contact.phone": orNull(string),
      "contact.message": nonEmptyString,
      token: absent,
      interim_token: absent,
    });
    const signInReply = await world.signIn(
      "4.2 reset-password, passive: the password has changed",
      person.email,
      NEW_PASSWORD,
    );
    client.expectRow(signInReply, 403, { account_disabled: true });
  });

  await client.runGroup("4.2 reset-password, refused", async () => {
    const unknownReply = await sendReset(
      "an unknown link",
      buildResetBody("dsr_unknown", { email: "nobody@example.com" }),
    );
    client.expectFields(unknownReply, 400, { success: false, message: nonEmptyString, error: absent });
    const emptyReply = await sendReset("an empty object", {});
    for (const field of ["token", "email", "password"]) client.expectInvalid(emptyReply, field);
    const wrongFields = {
      token: "dsr_unknown",
      email: "plain",
      password: "Kiraz-4",
      password_confirmation: "Kiraz-5",
    };
    const wrongReply = await sendReset("every field wrong", wrongFields);
    for (const field of ["email", "password", "password_confirmation"])
      client.expectInvalid(wrongReply, field);
  });
}
