import type { Client } from "./client";
import {
  absent,
  expectationText,
  flag,
  integer,
  matching,
  number,
  object,
  orNull,
  string,
  text,
  timestamp,
  turkish,
} from "./matchers";
import type { Person, World } from "./world";

const PATH = "/api/sites";
const MISSING = 2_147_483_647;

const FIELDS = {
  id: integer,
  name: text,
  domain: text,
  user_id: integer,
  api_key: text,
  is_active: flag,
  system_prompt: orNull(string),
  widget_color: matching(/^#[0-9A-F]{6}$/i),
  widget_position: text,
  welcome_message: string,
  bot_name: string,
  ai_enabled: flag,
  similarity_threshold: number,
  ai_provider_api_key: orNull(string),
  subscription_id: integer,
  settings: object,
  "settings.max_messages_per_session": integer,
  created_at: timestamp,
  updated_at: timestamp,
};

/** docs/contract.md 2.3, 4.11 and 5.6: sites, their billing, and access to them. */
export async function sites(client: Client, world: World): Promise<void> {
  await client.group("4.11 sites, reading", () => reading(client, world));
  await client.group("4.11 sites, fields", () => fields(client, world));
  await client.group("4.11 sites, refused fields", () => refusedFields(client, world));
  await client.group("4.11 sites, billing", () => billing(client, world));
  await client.group("5.6 sites, scope", () => scope(client, world));
}

function prefixed(prefix: string, shape: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, expected]) => [`${prefix}.${name}`, expected]));
}

async function reading(client: Client, world: World): Promise<void> {
  const newcomer = await world.person();
  const empty = await client.get("4.11 GET /api/sites, no sites", PATH, { token: newcomer.token });
  client.expectRow(empty, 200, { data: [] });
  const { owner, site } = await world.owner();
  const { token } = owner;
  client.expectFields(
    await client.get("4.11 GET /api/sites", PATH, { token }),
    200,
    prefixed("data.0", FIELDS),
  );
  const detail = await client.get("4.11 GET /api/sites/{id}", `${PATH}/${site.id}`, { token });
  client.expectFields(detail, 200, prefixed("data", { ...FIELDS, faqs_count: integer }));
  client.expectRow(detail, 200, { "data.id": site.id, "data.user_id": owner.id, "data.domain": site.domain });
  const apiKey = detail.text("data.api_key");
  client.check("2.3 api_key: hidden in a detail", detail, apiKey !== site.api_key, "hidden", apiKey);

  const missing = await client.get("4.11 GET /api/sites/{id}, missing", `${PATH}/${MISSING}`, { token });
  client.expectFields(missing, 404, { message: matching(/Site/), success: absent, data: absent });
  client.expectRow(await client.get("4.11 GET /api/sites/{id}, no number", `${PATH}/abc`, { token }), 404, {
    message: text,
  });
}

async function fields(client: Client, world: World): Promise<void> {
  const owner = await world.person();
  const subscription = await world.subscription(owner, 20);
  const { token } = owner;
  const create = (label: string, more: Record<string, unknown>) =>
    client.post(
      `4.11 POST /api/sites, ${label}`,
      PATH,
      { name: "Kaya Çay", domain: world.domain(), ...more },
      { token },
    );

  const plain = await create("name and domain", {});
  client.expectFields(plain, 201, {
    success: true,
    "site.id": integer,
    "site.name": "Kaya Çay",
    "site.domain": text,
    "site.api_key": matching(/^dsk_\w{20,}$/),
    "site.user_id": owner.id,
    "site.subscription_id": subscription,
    "site.is_active": true,
    "site.created_at": timestamp,
    "billing.mode": "subscription_slot",
    "billing.remaining_slots": 19,
  });
  const rows: Array<[string, unknown, unknown?]> = [
    ["name", "Ş".repeat(255)],
    ["widget_color", "#12ab9F", "#12ab9F"],
    ["widget_color", "#fff", "#ffffff"],
    ["widget_position", "bottom-left"],
    ["widget_position", "bottom-right"],
    ["welcome_message", "Merhaba!\nNasıl yardım edebilirim?"],
    ["bot_name", "Ada"],
    ["ai_enabled", false],
    ["ai_enabled", true],
    ["similarity_threshold", 0],
    ["similarity_threshold", 0.42],
    ["similarity_threshold", 1],
    ["system_prompt", "Kısa yanıt ver."],
  ];
  for (const [field, input, stored = input] of rows) {
    const what = `${field} ${expectationText(input)}`;
    const creation = await create(what, { [field]: input });
    const id = creation.at("site.id");
    const read =
      typeof id === "number" ? await client.get(`2.3 ${what}`, `${PATH}/${id}`, { token }) : creation;
    client.expectRow(read, 200, { [`data.${field}`]: stored });
  }
}

async function refusedFields(client: Client, world: World): Promise<void> {
  const { owner, site } = await world.owner();
  const stranger = await world.person();
  await world.subscription(stranger, 2);
  const rows: Array<[string, Record<string, unknown>, string]> = [
    ["name left out", { name: undefined }, "name"],
    ["name empty", { name: "" }, "name"],
    ["name a number", { name: 5 }, "name"],
    ["name of 256 characters", { name: "Ş".repeat(256) }, "name"],
    ["domain left out", { domain: undefined }, "domain"],
    ["domain empty", { domain: "" }, "domain"],
    ["domain a single word", { domain: "kahve" }, "domain"],
    ["domain with a space", { domain: "kaya kahve.com" }, "domain"],
    ["domain an address of a machine", { domain: "192.168.1.1" }, "domain"],
    ["domain a number", { domain: 5 }, "domain"],
    ["domain taken by another account", { domain: site.domain }, "domain"],
    ["widget_color a word", { widget_color: "red" }, "widget_color"],
    ["widget_color of 5 digits", { widget_color: "#12345" }, "widget_color"],
    ["widget_color not hexadecimal", { widget_color: "#12345g" }, "widget_color"],
    ["widget_position elsewhere", { widget_position: "middle" }, "widget_position"],
    ["ai_enabled a word", { ai_enabled: "perhaps" }, "ai_enabled"],
    ["similarity_threshold a word", { similarity_threshold: "high" }, "similarity_threshold"],
    ["similarity_threshold below 0", { similarity_threshold: -0.1 }, "similarity_threshold"],
    ["similarity_threshold above 1", { similarity_threshold: 1.1 }, "similarity_threshold"],
    ["bot_name a list", { bot_name: ["Ada"] }, "bot_name"],
    ["confirm_pay_per_site a word", { confirm_pay_per_site: "perhaps" }, "confirm_pay_per_site"],
    ["confirm_paid_site a word", { confirm_paid_site: "perhaps" }, "confirm_paid_site"],
  ];
  const create = (label: string, more: Record<string, unknown>, { token }: Person) =>
    client.post(
      `4.11 POST /api/sites, ${label}`,
      PATH,
      { name: "Kaya Çay", domain: world.domain(), ...more },
      { token },
    );
  for (const [what, more, field] of rows) client.expectInvalid(await create(what, more, stranger), field);
  await world.subscription(owner, 1);
  const again = await create(
    "domain of one's own site in capitals",
    { domain: site.domain.toUpperCase() },
    owner,
  );
  client.expectInvalid(again, "domain");
  const list = await client.get("4.11 refused sites are not created", PATH, { token: stranger.token });
  client.expectRow(list, 200, { data: [] });
}

async function billing(client: Client, world: World): Promise<void> {
  const create = (label: string, { token }: Person, more: Record<string, unknown> = {}) =>
    client.post(
      `4.11 billing, ${label}`,
      PATH,
      { name: "Kaya Çay", domain: world.domain(), ...more },
      { token },
    );
  const count = async (label: string, { token }: Person, length: number) => {
    const reply = await client.get(`4.11 billing, ${label}`, PATH, { token });
    const data = reply.at("data");
    const actual = Array.isArray(data) ? data.length : data;
    client.check(`4.11 billing, ${label}: ${length} sites`, reply, actual === length, String(length), actual);
  };

  const plain = await world.person();
  const upgrade = { success: false, error: turkish, requires_upgrade: true };
  client.expectFields(await create("no slot, no reseller", plain), 403, { ...upgrade, site: absent });
  const paid = { confirm_pay_per_site: true, confirm_paid_site: true };
  client.expectRow(await create("no slot, no reseller, confirmed", plain, paid), 403, upgrade);
  await count("no slot, no reseller", plain, 0);
  const wrong = await create("no slot and a wrong field", plain, { domain: "kahve" });
  client.expectInvalid(wrong, "domain");

  const two = await world.person();
  await world.subscription(two, 2);
  client.expectRow(await create("the first of two slots", two), 201, { "billing.remaining_slots": 1 });
  client.expectRow(await create("the last of two slots", two), 201, { "billing.remaining_slots": 0 });
  client.expectRow(await create("two slots, both full", two), 403, upgrade);
  await count("two slots, both full", two, 2);

  const reseller = await world.reseller("FATURA2026");
  const question = {
    success: false,
    error: turkish,
    requires_confirmation: true,
    billing_mode: "pay_per_site",
    annual_price_try: 3999,
    site: absent,
  };
  client.expectFields(await create("a reseller without a slot", reseller), 402, question);
  client.expectRow(
    await create("a reseller who does not confirm", reseller, { confirm_pay_per_site: false }),
    402,
    question,
  );
  await count("a reseller who did not confirm", reseller, 0);
  const licensed = await create("a reseller who confirms", reseller, { confirm_pay_per_site: true });
  client.expectFields(licensed, 201, {
    success: true,
    "site.id": integer,
    "site.user_id": reseller.id,
    "site.is_active": true,
    "site.subscription_id": null,
    "site.api_key": text,
    "billing.mode": "pay_per_site",
    "billing.annual_price_try": 3999,
  });
  const alias = await create("a reseller who confirms by confirm_paid_site", reseller, {
    confirm_paid_site: true,
  });
  client.expectRow(alias, 201, { "billing.mode": "pay_per_site" });
  await world.subscription(reseller, 1);
  client.expectRow(
    await create("a reseller with a free slot", reseller, { confirm_pay_per_site: true }),
    201,
    {
      "billing.mode": "subscription_slot",
      "billing.remaining_slots": 0,
    },
  );
  await count("a reseller afterwards", reseller, 3);
}

async function scope(client: Client, world: World): Promise<void> {
  const reseller = await world.reseller("KAPSAM2026");
  const { owner: customer, site: first, sites } = await world.owner(2, { reseller_id: reseller.id });
  const second = sites[1]!;
  const { owner: other } = await world.owner();
  const agent = await world.person({
    is_agent_only: true,
    parent_user_id: customer.id,
    assigned_site_id: first.id,
  });
  const admin = await world.person({ role: "admin" });
  const forbidden = { message: "This action is unauthorized.", success: absent, data: absent };
  const read = (label: string, { id }: { id: number }, { token }: Person) =>
    client.get(`5.6 GET /api/sites/{id}, ${label}`, `${PATH}/${id}`, { token });
  client.expectFields(await read("another account's", first, other), 403, forbidden);
  client.expectRow(await read("a customer's, by the reseller", first, reseller), 200, {
    "data.id": first.id,
  });
  client.expectRow(await read("the agent's", first, agent), 200, { "data.id": first.id });
  client.expectRow(await read("another of the agent's owner", second, agent), 403, forbidden);
  client.expectRow(await read("any account's, by an administrator", first, admin), 200, {
    "data.id": first.id,
  });

  const listed = async (label: string, { token }: Person, expected: number[]) => {
    const reply = await client.get(`5.6 GET /api/sites, ${label}`, PATH, { token });
    const data = reply.at("data");
    const ids = Array.isArray(data) ? data.map(({ id }) => id) : [];
    const isMatch = reply.status === 200 && ids.join() === expected.join();
    client.check(`5.6 GET /api/sites, ${label}`, reply, isMatch, `${expected.length} sites`, ids);
  };
  await listed("the owner's own only", customer, [first.id, second.id]);
  await listed("a reseller's, with those of customers", reseller, [first.id, second.id]);
  await listed("an agent's, the assigned one only", agent, [first.id]);
  const body = { name: "Kaya Çay", domain: world.domain() };
  const creation = await client.post("5.6 POST /api/sites by an agent", PATH, body, { token: agent.token });
  client.expectRow(creation, 403, { message: "This action is unauthorized." });
}
