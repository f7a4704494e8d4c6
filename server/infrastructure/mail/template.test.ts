import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PALETTE, renderMail } from "./template";

const css = readFileSync("app/globals.css", "utf8");

function hexOf(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const encoded = linear.map((part) =>
    part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055,
  );
  const bytes = encoded.map((part) => Math.round(255 * Math.min(1, Math.max(0, part))));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

test("uses the panel's colours", () => {
  for (const [name, colours] of Object.entries(PALETTE)) {
    const [, ...tokens] =
      new RegExp(`--${name}: light-dark\\(oklch\\(([^)]+)\\), oklch\\(([^)]+)\\)\\)`).exec(css) ?? [];
    const computed = tokens.map((token) => {
      const [lightness, chroma, hue] = token.split(" ").map(Number);
      return hexOf(lightness!, chroma!, hue!);
    });
    expect(computed, name).toEqual(colours);
  }
});

test("has a preheader and a dark theme", () => {
  const { html } = renderMail(
    {
      template: "verify_email",
      locale: "en",
      params: { name: "<Ada>", hours: 24 },
      path: "/verify-email?token=x",
    },
    { name: "Acme & Co", url: "https://panel.example.com" },
  );
  const [, preheader] = /<div class="preheader"[^>]*>([^<]+)</.exec(html) ?? [];
  expect(preheader).toContain("Acme &amp; Co");
  expect(html).toContain(`background:${PALETTE.primary[0]}`);
  expect(html).toMatch(new RegExp(`prefers-color-scheme:dark.*background:${PALETTE.primary[1]}`, "s"));
});

test("breaks links in names and leaves other names unchanged", () => {
  const greeting = (name: string) =>
    renderMail({ template: "sign_in_code", locale: "en", params: { name, minutes: 5 }, code: "123456" }, {
      name: "Tellal",
      url: "https://panel.test",
    } as Parameters<typeof renderMail>[1]).text.split("\n")[0];
  expect(greeting("Win https://evil.example/x now")).toBe("Hello Win https: evil. example/x now,");
  expect(greeting("evil.com")).toBe("Hello evil. com,");
  expect(greeting("evil。рф or 203.0.113.7/x")).toBe("Hello evil. рф or 203. 0. 113. 7/x,");
  expect(greeting("=?utf-8?q?x?=")).toBe("Hello = ?utf-8?q?x?=,");
  for (const name of ["Dr. Ayşe O’Neil-Şahin", "J.R. Tolkien", "محمد"])
    expect(greeting(name)).toBe(`Hello ${name},`);
});
