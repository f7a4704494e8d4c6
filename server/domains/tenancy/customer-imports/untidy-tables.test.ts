import { describe, expect, it } from "vitest";
import { peopleOf, readPeople } from "@/server/testing/people";

const ayse = ["Ayşe Kaya", "ayse@example.com", null, "ready"];
const ali = ["Ali Can", "ali@example.com", null, "ready"];

describe("several addresses in the last column", () => {
  it.each([
    [";", ", "],
    ["\t", "; "],
    [",", "; "],
    ["|", ";"],
    [";", " ::: "],
  ])("keep the separator %j apart from %j", (separator, between) => {
    const rows = [
      ["Ayşe Kaya", `ayse@example.com${between}ayse@example.org`],
      ["Ali Can", `ali@example.com${between}ali@example.org`],
    ].map((cells) => cells.join(separator));
    const heading = ["Ad", "E-posta"].join(separator);
    expect(peopleOf([heading, ...rows].join("\n"))).toEqual([ayse, ali]);
    expect(peopleOf(rows.join("\n"))).toEqual([ayse, ali]);
    expect(
      peopleOf([heading, ...rows, ["Veli", "veli@example.com"].join(separator)].join("\n")),
    ).toHaveLength(3);
  });

  it("are no reason to divide notes", () => {
    const file = 'Name,E-mail,Note\nAyşe Kaya,ayse@example.com,"x; y"\nAli Can,ali@example.com,"y; z"';
    expect(peopleOf(file)).toEqual([ayse, ali]);
    expect(peopleOf(file.replace(/.*\n/, ""))).toEqual([ayse, ali]);
  });
});

describe("a table without headings", () => {
  it.each([
    ["mailto:", "Ayşe Kaya;mailto:ayse@example.com;Ankara"],
    ["two addresses", "Ayşe Kaya;ayse@example.com ::: ayse@example.org;Ankara"],
    ["two addresses and commas", 'Ayşe Kaya,"ayse@example.com, ayse@example.org",Ankara'],
    ["a name before the address", 'Ayşe Kaya;"Ayşe Kaya" <ayse@example.com>;Ankara'],
  ])("has a person in its first row: %s", (_, first) => {
    const separator = first.includes(";") ? ";" : ",";
    const second = ["Ali Can", "ali@example.com", "İzmir"].join(separator);
    const { table, people } = readPeople(`${first}\n${second}`);
    expect(table.headingRow).toBeNull();
    expect(people).toEqual([
      [1, ...ayse],
      [2, ...ali],
    ]);
  });

  it("shows a first address that is mistyped", () => {
    expect(peopleOf("Ayşe Kaya;ayse@gmail;Ankara\nAli Can;ali@example.com;İzmir")).toEqual([
      ["Ayşe Kaya", "ayse@gmail", null, "email_invalid"],
      ali,
    ]);
  });

  it("may have a single column of names and addresses", () => {
    const { table } = readPeople("Ayşe Kaya <ayse@example.com>\nAli Can <ali@example.com>");
    expect([table.headingRow, table.rows.length]).toEqual([null, 2]);
  });

  it("differs from one with an example address in a heading", () => {
    expect(readPeople("Ad;E-posta (ör. ad@site.com)\nAyşe Kaya;ayse@example.com").table.headingRow).toBe(1);
    expect(readPeople("Ad;E-posta(ad@site.com)\nAyşe Kaya;ayse@example.com").table.headingRow).toBe(1);
  });
});
