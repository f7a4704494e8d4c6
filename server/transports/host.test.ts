import { expect, it } from "vitest";
import { hostOf } from "./host";

const of = (headers: Record<string, string>) => hostOf({ header: (name) => headers[name] ?? null });

it("is the name of a portal, else that of the request, as it is compared", () => {
  expect(of({ host: "Panel.Example.COM.:8080" })).toBe("panel.example.com");
  expect(of({ host: "panel.example.com", "x-portal-host": "bayi.example.com" })).toBe("bayi.example.com");
  const sent = Buffer.from("çay.example.com").toString("latin1");
  expect(of({ host: sent })).toBe("xn--ay-3ia.example.com");
});

it("is none without a header, for a name beyond 300 characters, and for what is no name", () => {
  const long = `${"a.".repeat(149)}io`;
  expect(of({ host: long }), "of 300 characters").toBe(long);
  for (const headers of [{}, { host: "" }, { host: `b${long}` }, { host: "a b" }])
    expect(of(headers as Record<string, string>)).toBeNull();
});
