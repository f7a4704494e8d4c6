import { describe, expect, it } from "vitest";
import { fold, sitesIn } from "./list-view";
import type { Site } from "./types";

const compare = (a: string, b: string) => new Intl.Collator("tr", { numeric: true }).compare(a, b);
const site = (id: number, name: string, domain: string, is_active = true) =>
  ({ id, name, domain, is_active }) as Site;
const SITES = [
  site(1, "İğde Bahçesi", "igde.example.com"),
  site(2, "Çınar Otel", "cinar.example.com", false),
  site(3, "Zeytin 10", "zeytin10.example.com"),
  site(4, "Zeytin 9", "zeytin9.example.com"),
];
const all = { q: "", state: "all", sort: "name", order: "asc" } as const;
const ids = (view: Parameters<typeof sitesIn>[1]) => sitesIn(SITES, view, compare).map(({ id }) => id);

describe("the list of sites", () => {
  it("folds Turkish letters and accents", () => {
    expect(fold("İĞDE Işık ŞÉ")).toBe("igde isik se");
  });

  it.each(["iğde", "IGDE", "İGDE bahçe", "igde.example"])("finds %s", (q) => {
    expect(ids({ ...all, q })).toEqual([1]);
  });

  it("orders as the language does, numbers by value", () => {
    expect(ids(all)).toEqual([2, 1, 4, 3]);
    expect(ids({ ...all, sort: "created", order: "desc" })).toEqual([4, 3, 2, 1]);
  });

  it("keeps one state", () => {
    expect(ids({ ...all, state: "suspended" })).toEqual([2]);
  });
});
