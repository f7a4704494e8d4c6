import type { Client } from "./client";
import { absent, isObject, nonEmptyString, object } from "./matchers";
import type { Person, World } from "./world";

const PATH = "/api/user/menu-labels";

/** docs/contract.md 4.9, rule by rule. */
export async function checkMenuLabels(client: Client, world: World): Promise<void> {
  const createLabelWriter =
    ({ token }: Person) =>
    (label: string, menu_labels: unknown) =>
      client.put(`4.9 menu labels, ${label}`, PATH, { menu_labels }, { token });

  await client.runGroup("4.9 menu labels, rules 1 and 2", async () => {
    const put = createLabelWriter(await world.createPerson());
    client.expectFields(await put("rule 1: one key", { sites: "Dükkânlar" }), 200, {
      success: true,
      menu_labels: { sites: "Dükkânlar" },
      menu_labels_inherited: {},
      menu_labels_effective: { sites: "Dükkânlar" },
    });
    client.expectRow(await put("rule 1: a second key leaves the first", { team: "Ekip" }), 200, {
      menu_labels: { sites: "Dükkânlar", team: "Ekip" },
    });
    client.expectRow(await put("rule 1: a key again replaces its label", { team: "Takım" }), 200, {
      "menu_labels.team": "Takım",
    });
    client.expectRow(await put("rule 2: an empty string deletes", { team: "" }), 200, {
      menu_labels: { sites: "Dükkânlar" },
    });
    client.expectRow(await put("rule 2: null deletes", { sites: null }), 200, {
      menu_labels: {},
      menu_labels_effective: {},
    });
    client.expectRow(await put("rule 2: a key that was never written", { nothing: null }), 200, {
      menu_labels: {},
    });
    client.expectRow(await put("{}", {}), 200, { menu_labels: {} });
    client.expectRow(await put("[]", []), 200, { menu_labels: {} });
    client.expectInvalid(await put("left out", undefined), "menu_labels");
    client.expectInvalid(await put("a text", "sites"), "menu_labels");
    client.expectInvalid(await put("a list with something", ["sites"]), "menu_labels");
    client.expectRow(await put("a value that is a number", { sites: 5 }), 422, { message: nonEmptyString });
    client.expectRow(await put("a value that is an object", { sites: { de: "Läden" } }), 422, {
      message: nonEmptyString,
    });
  });

  await client.runGroup("4.9 menu labels, rule 3", async () => {
    const put = createLabelWriter(await world.createPerson());
    const longest = `a${"b".repeat(40)}`;
    for (const key of ["a", "Z", "sites2", "my_key", "camelCase", longest])
      client.expectRow(await put(`rule 3: key "${key}"`, { [key]: "Ad" }), 200, {
        [`menu_labels.${key}`]: "Ad",
      });
    for (const key of [
      "",
      "1site",
      "_site",
      "my-key",
      "my key",
      "my.key",
      "şube",
      `${longest}b`,
      "site!",
      " site",
    ])
      client.expectRow(await put(`rule 3: key "${key}"`, { [key]: "Ad" }), 422, {
        message: nonEmptyString,
        errors: object,
      });
    // Raw text, because `__proto__` in an object literal sets the prototype.
    const raw = '{"menu_labels":{"__proto__":"Ad"}}';
    const { token } = await world.createPerson();
    const protoReply = await client.put('4.9 menu labels, rule 3: key "__proto__"', PATH, undefined, {
      rawBody: raw,
      token,
    });
    client.expectRow(protoReply, 422, { errors: object });
    const mixedReply = await put("rule 3: a valid key next to an invalid one", {
      fresh: "Yeni",
      "not-a-key": "Ad",
    });
    client.expectRow(mixedReply, 422, { errors: object });
    const laterReply = await put("rule 3: fails closed, nothing is stored", {});
    const labels = laterReply.valueAt("menu_labels");
    const isStored = isObject(labels) && "fresh" in labels;
    client.addCheck(
      "4.9 rule 3: fails closed",
      laterReply,
      isObject(labels) && !isStored,
      "no key fresh",
      labels,
    );
  });

  await client.runGroup("4.9 menu labels, rule 4", async () => {
    const put = createLabelWriter(await world.createPerson());
    for (const [variant, input, stored] of LABEL_VALUES)
      client.expectRow(await put(`rule 4: ${variant}`, { sites: input }), 200, {
        "menu_labels.sites": stored,
      });
    client.expectRow(await put("rule 4: nothing but markup", { team: "<b></b>" }), 200, {
      "menu_labels.team": absent,
    });
  });

  await client.runGroup("4.9 menu labels, rule 5", async () => {
    const put = createLabelWriter(await world.createPerson());
    const createLabels = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, `Ad ${index}`]));
    client.expectInvalid(await put("rule 5: 101 keys", createLabels(101)), "menu_labels");
    client.expectRow(await put("rule 5: 100 keys", createLabels(100)), 200, { "menu_labels.key99": "Ad 99" });
    client.expectInvalid(await put("rule 5: one more than 100", { another: "Ad" }), "menu_labels");
    client.expectRow(await put("rule 5: one of the 100 again", { key0: "Başka" }), 200, {
      "menu_labels.key0": "Başka",
    });
  });

  await client.runGroup("4.9 menu labels, rule 6", async () => {
    const person = await world.createPerson();
    const put = createLabelWriter(person);
    await put("rule 6: before the language changes", { sites: "Şubeler" });
    await client.put("preparation: language", "/api/user/locale", { locale: "de" }, { token: person.token });
    client.expectRow(await put("rule 6: after the language changed", {}), 200, {
      menu_labels_effective: { sites: "Şubeler" },
    });
  });

  await client.runGroup("4.9 menu labels, rule 7", () => checkInheritance(client, world, createLabelWriter));
}

async function checkInheritance(
  client: Client,
  world: World,
  createLabelWriter: (person: Person) => (label: string, labels: unknown) => ReturnType<Client["put"]>,
): Promise<void> {
  const { owner, site } = await world.createOwner();
  await createLabelWriter(owner)("rule 7: the parent's", { sites: "Dükkânlar", team: "Ekip" });
  const child = await world.createPerson({ parent_user_id: owner.id });
  const put = createLabelWriter(child);
  client.expectFields(await put("rule 7: a sub-user that wrote nothing", {}), 200, {
    menu_labels: {},
    menu_labels_inherited: { sites: "Dükkânlar", team: "Ekip" },
    menu_labels_effective: { sites: "Dükkânlar", team: "Ekip" },
  });
  client.expectFields(await put("rule 7: a sub-user that wrote one key", { team: "Takım" }), 200, {
    menu_labels: { team: "Takım" },
    menu_labels_inherited: { sites: "Dükkânlar", team: "Ekip" },
    menu_labels_effective: { sites: "Dükkânlar", team: "Takım" },
  });
  const agent = await world.createPerson({ is_agent_only: true, assigned_site_id: site.id });
  client.expectRow(await createLabelWriter(agent)("rule 7: an agent of the owner's site", {}), 200, {
    menu_labels_inherited: { sites: "Dükkânlar", team: "Ekip" },
  });
  const reseller = await world.createReseller("ETIKET2026");
  await createLabelWriter(reseller)("rule 7: the reseller's", { sites: "Müşteri siteleri" });
  const customer = await world.createPerson({ reseller_id: reseller.id });
  client.expectRow(await createLabelWriter(customer)("rule 7: a customer of a reseller", {}), 200, {
    menu_labels_inherited: {},
  });
  const parentReply = await createLabelWriter(owner)("rule 7: the parent is not changed by the sub-user", {});
  client.expectRow(parentReply, 200, {
    menu_labels: { sites: "Dükkânlar", team: "Ekip" },
    menu_labels_inherited: {},
  });
}

const fortyCharacters = "ğ".repeat(40);
const LABEL_VALUES: Array<[string, string, string]> = [
  ["tags are stripped", "<b>Dükkân</b>lar", "Dükkânlar"],
  ["a script tag is stripped", '<img src=x onerror="alert(1)">Siteler', "Siteler"],
  ["control characters are removed", "Si\u0000te\u0007ler\u001b", "Siteler"],
  ["line breaks are removed", "Site\nler", "Siteler"],
  ["spaces around are trimmed", "   Siteler   ", "Siteler"],
  ["40 characters stay", fortyCharacters, fortyCharacters],
  ["41 characters are cut", `${fortyCharacters}ş`, fortyCharacters],
  ["cut after trimming", `  ${fortyCharacters}  `, fortyCharacters],
  ["cut after stripping", `<i>${fortyCharacters}</i>`, fortyCharacters],
  ["a text in another script", "Сайты 网站", "Сайты 网站"],
];
