import type { Client, Reply } from "./client";
import {
  absent,
  equalTo,
  integer,
  list,
  listOf,
  nonEmptyString,
  orNull,
  sameMembers,
  secret,
  string,
  timestamp,
  turkishText,
} from "./matchers";
import { PHONES, REFUSED_PHONES } from "./registration";
import { PASSWORD, type Person, type World } from "./world";

const NEW_PASSWORD = "Baska-Parola-91";

/** docs/contract.md 2.1 and 4.8: the profile, read and written by both pairs of endpoints. */
export async function checkProfile(client: Client, world: World): Promise<void> {
  await client.runGroup("4.8 GET /api/auth/user", () => checkAuthUser(client, world));
  await client.runGroup("4.8 GET /api/user", () => checkUser(client, world));
  await client.runGroup("4.8 PUT /api/user", () => checkProfileUpdate(client, world, PUT_USER));
  await client.runGroup("4.8 PUT /api/auth/profile", () => checkProfileUpdate(client, world, PUT_PROFILE));
  await client.runGroup("4.8 PUT /api/auth/profile, phone", () => checkPhones(client, world));
  await client.runGroup("4.8 PUT /api/auth/profile, new_password_confirmation", async () => {
    const { token } = await world.createPerson();
    const body = {
      current_password: PASSWORD,
      new_password: NEW_PASSWORD,
      new_password_confirmation: `${NEW_PASSWORD}!`,
    };
    const label = "4.8 PUT /api/auth/profile, new_password_confirmation differs";
    client.expectInvalid(
      await client.put(label, "/api/auth/profile", body, { token }),
      "new_password_confirmation",
    );
  });
}

async function checkAuthUser(client: Client, world: World): Promise<void> {
  const { owner, site } = await world.createOwner();
  const { token } = owner;
  client.expectFields(await client.get("4.8 GET /api/auth/user", "/api/auth/user", { token }), 200, {
    success: true,
    "user.id": owner.id,
    "user.name": owner.name,
    "user.email": owner.email,
    "user.phone": "+905321112233",
    "user.role": "user",
    "user.is_active": true,
    "user.credits": 1000,
    "user.allowed_modules": null,
    "user.assigned_site_id": null,
    "user.is_agent_only": false,
    "user.reseller_id": null,
    "user.parent_user_id": null,
    "user.locale": null,
    "user.app_name": orNull(string),
    "user.app_logo_url": orNull(string),
    "user.app_primary_color": orNull(string),
    "user.email_verified_at": timestamp,
    "user.provider": string,
    "user.avatar_url": orNull(string),
    "user.sites": list,
    "user.sites.0.id": site.id,
    "user.sites.0.name": "Kaya Kahve",
    "user.sites.0.domain": site.domain,
    "user.sites.0.is_active": true,
    "stats.sites_count": 1,
    "stats.credits": 1000,
    "stats.monthly_usage": integer,
    "usage.messages_sent": integer,
    "usage.ai_calls": integer,
    "usage.voice_minutes": integer,
    modules: listOf(string),
  });
  const customisedPerson = await world.createPerson({
    app_name: "Kaya Panel",
    app_logo_url: "https://kaya.example.com/logo.png",
    app_primary_color: "#112233",
    allowed_modules: JSON.stringify(["appointment"]),
    parent_user_id: owner.id,
  });
  const customisedReply = await client.get("2.1 an account with everything set", "/api/auth/user", {
    token: customisedPerson.token,
  });
  client.expectFields(customisedReply, 200, {
    "user.app_name": "Kaya Panel",
    "user.app_logo_url": "https://kaya.example.com/logo.png",
    "user.app_primary_color": "#112233",
    "user.allowed_modules": ["appointment"],
    "user.parent_user_id": owner.id,
    "user.sites": [],
    "stats.sites_count": 0,
    modules: sameMembers("appointment"),
  });
}

async function checkUser(client: Client, world: World): Promise<void> {
  const { owner } = await world.createOwner(2);
  const reply = await client.get("4.8 GET /api/user", "/api/user", { token: owner.token });
  client.expectFields(reply, 200, {
    success: true,
    "user.id": owner.id,
    "user.name": owner.name,
    "user.email": owner.email,
    "user.phone": "+905321112233",
    "user.role": "user",
    "user.credits": 1000,
    "user.sites_count": 2,
    "user.locale": null,
    "user.email_verified_at": timestamp,
    data: equalTo(reply.valueAt("user"), "the same as user"),
  });
}

interface ProfileEndpoint {
  path: string;
  /** Name of the field for the new password. */
  passwordField: "password" | "new_password";
  response: Record<string, unknown>;
}
const PUT_USER: ProfileEndpoint = {
  path: "/api/user",
  passwordField: "password",
  response: { "user.credits": 1000 },
};
const PUT_PROFILE: ProfileEndpoint = {
  path: "/api/auth/profile",
  passwordField: "new_password",
  response: { "user.phone": "+905321112233" },
};

async function checkProfileUpdate(
  client: Client,
  world: World,
  { path, passwordField, response }: ProfileEndpoint,
): Promise<void> {
  const person = await world.createPerson();
  const { token } = person;
  const put = (label: string, body: unknown): Promise<Reply> =>
    client.put(`4.8 PUT ${path}, ${label}`, path, body, { token });
  const readUser = (label: string) => client.get(`4.8 PUT ${path}, ${label}`, "/api/user", { token });

  client.expectFields(await put("name", { name: "Ece Ün" }), 200, {
    success: true,
    message: nonEmptyString,
    "user.id": person.id,
    "user.name": "Ece Ün",
    "user.email": person.email,
    ...response,
  });
  client.expectRow(await readUser("name as GET /api/user has it"), 200, { "user.name": "Ece Ün" });
  client.expectRow(await put("nothing", {}), 200, { "user.name": "Ece Ün", "user.email": person.email });
  client.expectRow(await put("name null", { name: null }), 200, { "user.name": "Ece Ün" });
  client.expectRow(await put("name of 255 characters", { name: "i".repeat(255) }), 200, {
    "user.name": "i".repeat(255),
  });
  client.expectInvalid(await put("name of 256 characters", { name: "i".repeat(256) }), "name");
  client.expectInvalid(await put("name a number", { name: 5 }), "name");
  client.expectRow(
    await put("fields that are not the caller's to write", { role: "admin", credits: 5 }),
    200,
    {
      success: true,
    },
  );
  client.expectRow(await readUser("role and credits afterwards"), 200, {
    "user.role": "user",
    "user.credits": 1000,
  });

  await checkEmails(client, world, person, put);
  await checkPasswords(client, world, person, { put, passwordField });
}

async function checkEmails(
  client: Client,
  world: World,
  { email }: Person,
  put: (label: string, body: unknown) => Promise<Reply>,
): Promise<void> {
  const otherPerson = await world.createPerson();
  client.expectInvalid(await put("email of another account", { email: otherPerson.email }), "email");
  client.expectInvalid(await put("email no address", { email: "ayse@" }), "email");
  client.expectInvalid(await put("email a number", { email: 5 }), "email");
  client.expectRow(await put("email as it is", { email }), 200, { "user.email": email });
  const newEmail = world.nextEmail();
  client.expectRow(await put("another email", { email: newEmail }), 200, {
    success: true,
    "user.email": newEmail,
  });
}

async function checkPasswords(
  client: Client,
  world: World,
  { token }: Person,
  { put, passwordField }: { put: (label: string, body: unknown) => Promise<Reply>; passwordField: string },
): Promise<void> {
  const path = passwordField === "password" ? "/api/user" : "/api/auth/profile";
  const person = await world.createPerson();
  const changePassword = (label: string, body: unknown) =>
    client.put(`4.8 PUT ${path}, ${label}`, path, body, { token: person.token });
  client.expectInvalid(
    await changePassword(`${passwordField} without current_password`, { [passwordField]: NEW_PASSWORD }),
    "current_password",
  );
  const wrongPasswordReply = await changePassword("a wrong current_password", {
    current_password: "Yanlis-Parola-1",
    [passwordField]: NEW_PASSWORD,
  });
  client.expectFields(wrongPasswordReply, 422, { success: false, error: turkishText, errors: absent });
  const shortPassword = { current_password: PASSWORD, [passwordField]: "Kiraz-4" };
  client.expectInvalid(
    await changePassword(`${passwordField} of 7 characters`, shortPassword),
    passwordField,
  );
  client.expectInvalid(
    await changePassword(`${passwordField} a number`, {
      current_password: PASSWORD,
      [passwordField]: 12345678,
    }),
    passwordField,
  );
  const unchangedReply = await world.signIn(`4.8 PUT ${path}: refused, the password stays`, person.email);
  client.expectRow(unchangedReply, 200, { token: secret });
  const body = {
    current_password: PASSWORD,
    [passwordField]: NEW_PASSWORD,
    ...(passwordField === "new_password" && { new_password_confirmation: NEW_PASSWORD }),
  };
  client.expectRow(await changePassword("the right current_password", body), 200, {
    success: true,
    message: nonEmptyString,
  });
  const newPasswordReply = await world.signIn(
    `4.8 PUT ${path}: the new password signs in`,
    person.email,
    NEW_PASSWORD,
  );
  client.expectRow(newPasswordReply, 200, { token: secret });
  const oldPasswordReply = await world.signIn(`4.8 PUT ${path}: the old password does not`, person.email);
  client.expectRow(oldPasswordReply, 401, { success: false });
  client.expectRow(await put("current_password alone", { current_password: PASSWORD }), 200, {
    success: true,
  });
  const ownReply = await client.get(`4.8 PUT ${path}: the caller stays signed in`, "/api/user", { token });
  client.expectRow(ownReply, 200, { success: true });
}

async function checkPhones(client: Client, world: World): Promise<void> {
  const { token } = await world.createPerson();
  const put = (phone: unknown) =>
    client.put(
      `4.8 PUT /api/auth/profile, phone ${JSON.stringify(phone)}`,
      "/api/auth/profile",
      { phone },
      { token },
    );
  for (const [input, stored] of PHONES) client.expectRow(await put(input), 200, { "user.phone": stored });
  for (const phone of REFUSED_PHONES) client.expectInvalid(await put(phone), "phone");
  client.expectInvalid(await put(905321234567), "phone");
  client.expectRow(await put(null), 200, { success: true });
}
