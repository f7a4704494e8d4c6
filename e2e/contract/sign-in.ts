import type { Client } from "./client";
import {
  absent,
  containing,
  equal,
  flag,
  integer,
  list,
  listOf,
  members,
  orNull,
  secret,
  string,
  text,
  turkish,
} from "./matchers";
import { PASSWORD, type World } from "./world";

/** Response of a successful sign-in (docs/contract.md 4.2). */
export const SIGNED_IN = {
  success: true,
  "user.id": integer,
  "user.name": text,
  "user.email": text,
  "user.phone": orNull(string),
  "user.role": "user",
  "user.is_active": true,
  "user.credits": integer,
  "user.allowed_modules": orNull(list),
  "user.assigned_site_id": orNull(integer),
  "user.is_agent_only": flag,
  "user.reseller_id": orNull(integer),
  "user.locale": orNull(string),
  token: secret,
  modules: listOf(string),
};

export const INTERIM = {
  success: true,
  requires_2fa: true,
  interim_token: secret,
  available_methods: containing("totp"),
  token: absent,
};

/** docs/contract.md 3, 4.2 and 5: sign-in, resend-verification, logout. */
export async function signIn(client: Client, world: World): Promise<void> {
  await client.group("4.2 login", async () => {
    const person = await world.person();
    const reply = await world.login("4.2 login", person.email);
    client.expectFields(reply, 200, { ...SIGNED_IN, requires_2fa: absent, interim_token: absent });
    client.expectRow(reply, 200, { "user.id": person.id, "user.email": person.email });
    client.expectRow(reply, 200, { modules: members("appointment", "saas") });
    const own = await client.get("5.2 the token of a sign-in", "/api/user", { token: reply.text("token") });
    client.expectRow(own, 200, { "user.id": person.id });
    client.expectRow(
      await world.login("4.2 login, password in capitals", person.email, PASSWORD.toUpperCase()),
      401,
    );

    const wrong = await world.login("4.2 login, a wrong password", person.email, "Yanlis-Parola-1");
    client.expectFields(wrong, 401, { success: false, error: turkish, token: absent, user: absent });
    const unknownAddress = await world.login("4.2 login, an unknown address", "nobody@example.com");
    client.expectRow(unknownAddress, 401, {
      success: false,
      error: equal(wrong.at("error"), "that of a wrong password"),
    });

    for (const [what, body, field] of INVALID)
      client.expectInvalid(await client.post(`4.2 login, ${what}`, "/api/auth/login", body), field);
  });

  await client.group("2.1 accounts of every kind", async () => {
    const { owner, site } = await world.owner();
    const reseller = await world.reseller("ATLAS2026");
    const kinds = [
      ["a reseller", reseller, { "user.role": "reseller" }],
      ["an administrator", await world.person({ role: "admin" }), { "user.role": "admin" }],
      [
        "a customer of a reseller",
        await world.person({ reseller_id: reseller.id }),
        { "user.reseller_id": reseller.id },
      ],
      [
        "a team agent",
        await world.person({ is_agent_only: true, parent_user_id: owner.id, assigned_site_id: site.id }),
        { "user.is_agent_only": true, "user.assigned_site_id": site.id },
      ],
      [
        "an account restricted to a module",
        await world.person({ allowed_modules: JSON.stringify(["saas"]) }),
        { "user.allowed_modules": ["saas"], modules: ["saas"] },
      ],
      ["an account with a language", await world.person({ locale: "de" }), { "user.locale": "de" }],
    ] as const;
    for (const [what, person, fields] of kinds)
      client.expectRow(await world.login(`4.2 login of ${what}`, person.email), 200, fields);
  });

  await client.group("5.7 gates", async () => {
    const passive = await world.person({ is_active: false });
    client.expectFields(await world.login("4.2 login, a passive account", passive.email), 403, {
      success: false,
      error: turkish,
      token: absent,
    });
    client.expectRow(
      await world.login(
        "4.2 login, a passive account and a wrong password",
        passive.email,
        "Yanlis-Parola-1",
      ),
      401,
      { success: false, error: text },
    );
    const used = await client.get("5.7 the token of an account that became passive", "/api/user", {
      token: passive.token,
    });
    client.check(
      "2.1 is_active false: its older token is refused",
      used,
      [401, 403].includes(used.status),
      "401 or 403",
      used.status,
    );
    const unverified = await world.person({ email_verified_at: null });
    client.expectFields(await world.login("5.7 login, an unverified address", unverified.email), 403, {
      success: false,
      error: turkish,
      requires_verification: true,
      token: absent,
    });
    await gateOrder(client, world);
  });

  await client.group("4.2 resend-verification", async () => {
    const path = "/api/auth/resend-verification";
    const body = world.registration();
    await client.post("preparation: unverified", "/api/auth/register", body);
    const first = await world.mailed(body.email, /dsv_\w+/);
    const again = await client.post("4.2 resend-verification", path, { email: body.email });
    client.expectFields(again, 200, { success: true, message: text });
    const second = await world.mailed(body.email, /dsv_\w+/, first);
    client.check(
      "4.2 resend-verification: the e-mail is sent again",
      again,
      second !== "",
      "a second mail",
      second,
    );
    const unknown = await client.post("4.2 resend-verification, an unknown address", path, {
      email: "nobody@example.com",
    });
    client.expectRow(unknown, 200, {
      success: true,
      message: equal(again.at("message"), "that of a known address"),
    });
    for (const [what, email] of [
      ["left out", undefined],
      ["empty", ""],
      ["no address", "plain"],
      ["a list", ["a@example.com"]],
    ] as const)
      client.expectInvalid(
        await client.post(`4.2 resend-verification, email ${what}`, path, { email }),
        "email",
      );

    const done = await client.post("3 verification", "/api/auth/verify-email", { token: second || first });
    client.expectRow(done, 200, { success: true });
    client.expectRow(await world.login("3 verification: signs in afterwards", body.email), 200, {
      token: secret,
    });
  });

  await client.group("4.2 logout", async () => {
    const person = await world.person();
    const token = (await world.login("preparation: second sign-in", person.email)).text("token");
    client.expectFields(await client.post("4.2 logout", "/api/auth/logout", undefined, { token }), 200, {
      success: true,
      message: text,
    });
    const revoked = await client.get("3 logout: the token is revoked", "/api/user", { token });
    client.expectRow(revoked, 401, { message: "Unauthenticated." });
    const again = await client.post("4.2 logout, with the revoked token", "/api/auth/logout", {}, { token });
    client.expectRow(again, 401, { message: "Unauthenticated." });
    const other = await client.get("4.2 logout: revokes the current token only", "/api/user", {
      token: person.token,
    });
    client.expectRow(other, 200, { "user.id": person.id });
  });
}

/** docs/contract.md 5.7: e-mail, active account, portal lock, second factor; the first closed one decides. */
async function gateOrder(client: Client, world: World): Promise<void> {
  const reseller = await world.reseller("KILIT2026");
  await world.server.sql(
    `insert into reseller_portals (reseller_id, domain, brand_name, lock_customers, verified_at)
     values ($1, 'panel.kilit.example.com', 'Kilit', true, now())`,
    [reseller.id],
  );
  const locked = { reseller_id: reseller.id };
  const orders = [
    [
      "all four closed: the e-mail",
      { ...locked, email_verified_at: null, is_active: false },
      403,
      { requires_verification: true, account_disabled: absent },
    ],
    [
      "verified, passive, locked: the account",
      { ...locked, is_active: false },
      403,
      { account_disabled: true, portal_locked: absent },
    ],
    ["verified, active, locked: the portal", locked, 403, { portal_locked: true, requires_2fa: absent }],
    ["only a second factor: it is required", {}, 200, { requires_2fa: true }],
  ] as const;
  for (const [what, columns, status, fields] of orders) {
    const person = await world.person();
    await world.totp(person);
    await world.set(person, columns);
    const reply = await world.login(`5.7 login, ${what}`, person.email);
    client.expectRow(reply, status, fields);
    if (status === 200) client.expectFields(reply, 200, INTERIM);
    else client.expectRow(reply, status, { success: false, error: text, token: absent });
  }
}

const INVALID: Array<[string, unknown, string]> = [
  ["email left out", { password: PASSWORD }, "email"],
  ["email empty", { email: "", password: PASSWORD }, "email"],
  ["email without a domain", { email: "ayse", password: PASSWORD }, "email"],
  ["email a number", { email: 5, password: PASSWORD }, "email"],
  ["password left out", { email: "a@example.com" }, "password"],
  ["password null", { email: "a@example.com", password: null }, "password"],
  ["password a number", { email: "a@example.com", password: 12345678 }, "password"],
  ["password an object", { email: "a@example.com", password: { not: "a text" } }, "password"],
];
