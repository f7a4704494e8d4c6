import type { Client, Reply } from "./client";
import {
  absent,
  equal,
  integer,
  list,
  listOf,
  members,
  orNull,
  secret,
  string,
  text,
  timestamp,
  turkish,
} from "./matchers";
import { PHONES, REFUSED_PHONES } from "./registration";
import { PASSWORD, type Person, type World } from "./world";

const NEXT = "Baska-Parola-91";

/** docs/contract.md 2.1 and 4.8: the profile, read and written by both pairs of endpoints. */
export async function profile(client: Client, world: World): Promise<void> {
  await client.group("4.8 GET /api/auth/user", () => authUser(client, world));
  await client.group("4.8 GET /api/user", () => user(client, world));
  await client.group("4.8 PUT /api/user", () => profileUpdate(client, world, PUT_USER));
  await client.group("4.8 PUT /api/auth/profile", () => profileUpdate(client, world, PUT_PROFILE));
  await client.group("4.8 PUT /api/auth/profile, phone", () => phones(client, world));
  await client.group("4.8 PUT /api/auth/profile, new_password_confirmation", async () => {
    const { token } = await world.person();
    const body = { current_password: PASSWORD, new_password: NEXT, new_password_confirmation: `${NEXT}!` };
    const label = "4.8 PUT /api/auth/profile, new_password_confirmation differs";
    client.expectInvalid(
      await client.put(label, "/api/auth/profile", body, { token }),
      "new_password_confirmation",
    );
  });
}

async function authUser(client: Client, world: World): Promise<void> {
  const { owner, site } = await world.owner();
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
  const plain = await world.person({
    app_name: "Kaya Panel",
    app_logo_url: "https://kaya.example.com/logo.png",
    app_primary_color: "#112233",
    allowed_modules: JSON.stringify(["appointment"]),
    parent_user_id: owner.id,
  });
  const own = await client.get("2.1 an account with everything set", "/api/auth/user", {
    token: plain.token,
  });
  client.expectFields(own, 200, {
    "user.app_name": "Kaya Panel",
    "user.app_logo_url": "https://kaya.example.com/logo.png",
    "user.app_primary_color": "#112233",
    "user.allowed_modules": ["appointment"],
    "user.parent_user_id": owner.id,
    "user.sites": [],
    "stats.sites_count": 0,
    modules: members("appointment"),
  });
}

async function user(client: Client, world: World): Promise<void> {
  const { owner } = await world.owner(2);
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
    data: equal(reply.at("user"), "the same as user"),
  });
}

interface ProfileEndpoint {
  path: string;
  password: "password" | "new_password";
  response: Record<string, unknown>;
}
const PUT_USER: ProfileEndpoint = {
  path: "/api/user",
  password: "password",
  response: { "user.credits": 1000 },
};
const PUT_PROFILE: ProfileEndpoint = {
  path: "/api/auth/profile",
  password: "new_password",
  response: { "user.phone": "+905321112233" },
};

async function profileUpdate(
  client: Client,
  world: World,
  { path, password, response }: ProfileEndpoint,
): Promise<void> {
  const person = await world.person();
  const { token } = person;
  const put = (label: string, body: unknown): Promise<Reply> =>
    client.put(`4.8 PUT ${path}, ${label}`, path, body, { token });
  const read = (label: string) => client.get(`4.8 PUT ${path}, ${label}`, "/api/user", { token });

  client.expectFields(await put("name", { name: "Ece Ün" }), 200, {
    success: true,
    message: text,
    "user.id": person.id,
    "user.name": "Ece Ün",
    "user.email": person.email,
    ...response,
  });
  client.expectRow(await read("name as GET /api/user has it"), 200, { "user.name": "Ece Ün" });
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
  client.expectRow(await read("role and credits afterwards"), 200, {
    "user.role": "user",
    "user.credits": 1000,
  });

  await addresses(client, world, person, put);
  await passwords(client, world, person, { put, password });
}

async function addresses(
  client: Client,
  world: World,
  { email }: Person,
  put: (label: string, body: unknown) => Promise<Reply>,
): Promise<void> {
  const other = await world.person();
  client.expectInvalid(await put("email of another account", { email: other.email }), "email");
  client.expectInvalid(await put("email no address", { email: "ayse@" }), "email");
  client.expectInvalid(await put("email a number", { email: 5 }), "email");
  client.expectRow(await put("email as it is", { email }), 200, { "user.email": email });
  const next = world.address();
  client.expectRow(await put("another email", { email: next }), 200, { success: true, "user.email": next });
}

async function passwords(
  client: Client,
  world: World,
  { token }: Person,
  { put, password }: { put: (label: string, body: unknown) => Promise<Reply>; password: string },
): Promise<void> {
  const path = password === "password" ? "/api/user" : "/api/auth/profile";
  const fresh = await world.person();
  const change = (label: string, body: unknown) =>
    client.put(`4.8 PUT ${path}, ${label}`, path, body, { token: fresh.token });
  client.expectInvalid(
    await change(`${password} without current_password`, { [password]: NEXT }),
    "current_password",
  );
  const wrong = await change("a wrong current_password", {
    current_password: "Yanlis-Parola-1",
    [password]: NEXT,
  });
  client.expectFields(wrong, 422, { success: false, error: turkish, errors: absent });
  const short = { current_password: PASSWORD, [password]: "Kiraz-4" };
  client.expectInvalid(await change(`${password} of 7 characters`, short), password);
  client.expectInvalid(
    await change(`${password} a number`, { current_password: PASSWORD, [password]: 12345678 }),
    password,
  );
  const unchanged = await world.login(`4.8 PUT ${path}: refused, the password stays`, fresh.email);
  client.expectRow(unchanged, 200, { token: secret });
  const body = {
    current_password: PASSWORD,
    [password]: NEXT,
    ...(password === "new_password" && { new_password_confirmation: NEXT }),
  };
  client.expectRow(await change("the right current_password", body), 200, { success: true, message: text });
  const after = await world.login(`4.8 PUT ${path}: the new password signs in`, fresh.email, NEXT);
  client.expectRow(after, 200, { token: secret });
  const old = await world.login(`4.8 PUT ${path}: the old password does not`, fresh.email);
  client.expectRow(old, 401, { success: false });
  client.expectRow(await put("current_password alone", { current_password: PASSWORD }), 200, {
    success: true,
  });
  const own = await client.get(`4.8 PUT ${path}: the caller stays signed in`, "/api/user", { token });
  client.expectRow(own, 200, { success: true });
}

async function phones(client: Client, world: World): Promise<void> {
  const { token } = await world.person();
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
