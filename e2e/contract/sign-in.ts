import type { Client } from "./client";
import {
  absent,
  boolean,
  containing,
  equalTo,
  integer,
  list,
  listOf,
  nonEmptyString,
  orNull,
  sameMembers,
  secret,
  string,
  turkishText,
} from "./matchers";
import { PASSWORD, type World } from "./world";

/** Response of a successful sign-in (docs/contract.md 4.2). */
export const SIGN_IN_FIELDS = {
  success: true,
  "user.id": integer,
  "user.name": nonEmptyString,
  "user.email": nonEmptyString,
  "user.phone": orNull(string),
  "user.role": "user",
  "user.is_active": true,
  "user.credits": integer,
  "user.allowed_modules": orNull(list),
  "user.assigned_site_id": orNull(integer),
  "user.is_agent_only": boolean,
  "user.reseller_id": orNull(integer),
  "user.locale": orNull(string),
  token: secret,
  modules: listOf(string),
};

export const INTERIM_FIELDS = {
  success: true,
  requires_2fa: true,
  interim_token: secret,
  available_methods: containing("totp"),
  token: absent,
};

/** docs/contract.md 3, 4.2 and 5: sign-in, resend-verification, logout. */
export async function checkSignIn(client: Client, world: World): Promise<void> {
  await client.runGroup("4.2 login", async () => {
    const person = await world.createPerson();
    const reply = await world.signIn("4.2 login", person.email);
    client.expectFields(reply, 200, { ...SIGN_IN_FIELDS, requires_2fa: absent, interim_token: absent });
    client.expectRow(reply, 200, { "user.id": person.id, "user.email": person.email });
    client.expectRow(reply, 200, { modules: sameMembers("appointment", "saas") });
    const ownReply = await client.get("5.2 the token of a sign-in", "/api/user", {
      token: reply.textAt("token"),
    });
    client.expectRow(ownReply, 200, { "user.id": person.id });
    client.expectRow(
      await world.signIn("4.2 login, password in capitals", person.email, PASSWORD.toUpperCase()),
      401,
    );

    const wrongPasswordReply = await world.signIn(
      "4.2 login, a wrong password",
      person.email,
      "Yanlis-Parola-1",
    );
    client.expectFields(wrongPasswordReply, 401, {
      success: false,
      error: turkishText,
      token: absent,
      user: absent,
    });
    const unknownAddressReply = await world.signIn("4.2 login, an unknown address", "nobody@example.com");
    client.expectRow(unknownAddressReply, 401, {
      success: false,
      error: equalTo(wrongPasswordReply.valueAt("error"), "that of a wrong password"),
    });

    for (const [variant, body, field] of INVALID_BODIES)
      client.expectInvalid(await client.post(`4.2 login, ${variant}`, "/api/auth/login", body), field);
  });

  await client.runGroup("2.1 accounts of every kind", async () => {
    const { owner, site } = await world.createOwner();
    const reseller = await world.createReseller("ATLAS2026");
    const accountKinds = [
      ["a reseller", reseller, { "user.role": "reseller" }],
      ["an administrator", await world.createPerson({ role: "admin" }), { "user.role": "admin" }],
      [
        "a customer of a reseller",
        await world.createPerson({ reseller_id: reseller.id }),
        { "user.reseller_id": reseller.id },
      ],
      [
        "a team agent",
        await world.createPerson({
          is_agent_only: true,
          parent_user_id: owner.id,
          assigned_site_id: site.id,
        }),
        { "user.is_agent_only": true, "user.assigned_site_id": site.id },
      ],
      [
        "an account restricted to a module",
        await world.createPerson({ allowed_modules: JSON.stringify(["saas"]) }),
        { "user.allowed_modules": ["saas"], modules: ["saas"] },
      ],
      ["an account with a language", await world.createPerson({ locale: "de" }), { "user.locale": "de" }],
    ] as const;
    for (const [variant, person, fields] of accountKinds)
      client.expectRow(await world.signIn(`4.2 login of ${variant}`, person.email), 200, fields);
  });

  await client.runGroup("5.7 gates", async () => {
    const passivePerson = await world.createPerson({ is_active: false });
    client.expectFields(await world.signIn("4.2 login, a passive account", passivePerson.email), 403, {
      success: false,
      error: turkishText,
      token: absent,
    });
    client.expectRow(
      await world.signIn(
        "4.2 login, a passive account and a wrong password",
        passivePerson.email,
        "Yanlis-Parola-1",
      ),
      401,
      { success: false, error: nonEmptyString },
    );
    const tokenReply = await client.get("5.7 the token of an account that became passive", "/api/user", {
      token: passivePerson.token,
    });
    client.addCheck(
      "2.1 is_active false: its older token is refused",
      tokenReply,
      [401, 403].includes(tokenReply.status),
      "401 or 403",
      tokenReply.status,
    );
    const unverifiedPerson = await world.createPerson({ email_verified_at: null });
    client.expectFields(await world.signIn("5.7 login, an unverified address", unverifiedPerson.email), 403, {
      success: false,
      error: turkishText,
      requires_verification: true,
      token: absent,
    });
    await checkGateOrder(client, world);
  });

  await client.runGroup("4.2 resend-verification", async () => {
    const path = "/api/auth/resend-verification";
    const body = world.buildRegistration();
    await client.post("preparation: unverified", "/api/auth/register", body);
    const firstToken = await world.waitForMail(body.email, /dsv_\w+/);
    const resendReply = await client.post("4.2 resend-verification", path, { email: body.email });
    client.expectFields(resendReply, 200, { success: true, message: nonEmptyString });
    const secondToken = await world.waitForMail(body.email, /dsv_\w+/, firstToken);
    client.addCheck(
      "4.2 resend-verification: the e-mail is sent again",
      resendReply,
      secondToken !== "",
      "a second mail",
      secondToken,
    );
    const unknownReply = await client.post("4.2 resend-verification, an unknown address", path, {
      email: "nobody@example.com",
    });
    client.expectRow(unknownReply, 200, {
      success: true,
      message: equalTo(resendReply.valueAt("message"), "that of a known address"),
    });
    for (const [variant, email] of [
      ["left out", undefined],
      ["empty", ""],
      ["no address", "plain"],
      ["a list", ["a@example.com"]],
    ] as const)
      client.expectInvalid(
        await client.post(`4.2 resend-verification, email ${variant}`, path, { email }),
        "email",
      );

    const verificationReply = await client.post("3 verification", "/api/auth/verify-email", {
      token: secondToken || firstToken,
    });
    client.expectRow(verificationReply, 200, { success: true });
    client.expectRow(await world.signIn("3 verification: signs in afterwards", body.email), 200, {
      token: secret,
    });
  });

  await client.runGroup("4.2 logout", async () => {
    const person = await world.createPerson();
    const token = (await world.signIn("preparation: second sign-in", person.email)).textAt("token");
    client.expectFields(await client.post("4.2 logout", "/api/auth/logout", undefined, { token }), 200, {
      success: true,
      message: nonEmptyString,
    });
    const revokedReply = await client.get("3 logout: the token is revoked", "/api/user", { token });
    client.expectRow(revokedReply, 401, { message: "Unauthenticated." });
    const secondLogoutReply = await client.post(
      "4.2 logout, with the revoked token",
      "/api/auth/logout",
      {},
      { token },
    );
    client.expectRow(secondLogoutReply, 401, { message: "Unauthenticated." });
    const otherSessionReply = await client.get("4.2 logout: revokes the current token only", "/api/user", {
      token: person.token,
    });
    client.expectRow(otherSessionReply, 200, { "user.id": person.id });
  });
}

/** docs/contract.md 5.7: e-mail, active account, portal lock, second factor; the first closed one decides. */
async function checkGateOrder(client: Client, world: World): Promise<void> {
  const reseller = await world.createReseller("KILIT2026");
  await world.server.sql(
    `insert into reseller_portals (reseller_id, domain, brand_name, lock_customers, verified_at)
     values ($1, 'panel.kilit.example.com', 'Kilit', true, now())`,
    [reseller.id],
  );
  const lockedColumns = { reseller_id: reseller.id };
  const gateCases = [
    [
      "all four closed: the e-mail",
      { ...lockedColumns, email_verified_at: null, is_active: false },
      403,
      { requires_verification: true, account_disabled: absent },
    ],
    [
      "verified, passive, locked: the account",
      { ...lockedColumns, is_active: false },
      403,
      { account_disabled: true, portal_locked: absent },
    ],
    [
      "verified, active, locked: the portal",
      lockedColumns,
      403,
      { portal_locked: true, requires_2fa: absent },
    ],
    ["only a second factor: it is required", {}, 200, { requires_2fa: true }],
  ] as const;
  for (const [variant, columns, status, fields] of gateCases) {
    const person = await world.createPerson();
    await world.enableTotp(person);
    await world.updateUser(person, columns);
    const reply = await world.signIn(`5.7 login, ${variant}`, person.email);
    client.expectRow(reply, status, fields);
    if (status === 200) client.expectFields(reply, 200, INTERIM_FIELDS);
    else client.expectRow(reply, status, { success: false, error: nonEmptyString, token: absent });
  }
}

const INVALID_BODIES: Array<[string, unknown, string]> = [
  ["email left out", { password: PASSWORD }, "email"],
  ["email empty", { email: "", password: PASSWORD }, "email"],
  ["email without a domain", { email: "ayse", password: PASSWORD }, "email"],
  ["email a number", { email: 5, password: PASSWORD }, "email"],
  ["password left out", { email: "a@example.com" }, "password"],
  ["password null", { email: "a@example.com", password: null }, "password"],
  ["password a number", { email: "a@example.com", password: 12345678 }, "password"],
  ["password an object", { email: "a@example.com", password: { not: "a text" } }, "password"],
];
