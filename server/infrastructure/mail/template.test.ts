import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PALETTE, renderMail } from "./template";

const globalsCss = readFileSync("app/globals.css", "utf8");

function oklchToHex(lightness: number, chroma: number, hue: number): string {
  const labA = chroma * Math.cos((hue * Math.PI) / 180);
  const labB = chroma * Math.sin((hue * Math.PI) / 180);
  const longCone = (lightness + 0.3963377774 * labA + 0.2158037573 * labB) ** 3;
  const mediumCone = (lightness - 0.1055613458 * labA - 0.0638541728 * labB) ** 3;
  const shortCone = (lightness - 0.0894841775 * labA - 1.291485548 * labB) ** 3;
  const linearChannels = [
    4.0767416621 * longCone - 3.3077115913 * mediumCone + 0.2309699292 * shortCone,
    -1.2684380046 * longCone + 2.6097574011 * mediumCone - 0.3413193965 * shortCone,
    -0.0041960863 * longCone - 0.7034186147 * mediumCone + 1.707614701 * shortCone,
  ];
  const channels = linearChannels.map((channel) =>
    channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055,
  );
  const bytes = channels.map((channel) => Math.round(255 * Math.min(1, Math.max(0, channel))));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

test("uses the panel's colours", () => {
  for (const [name, colours] of Object.entries(PALETTE)) {
    const [, ...tokens] =
      new RegExp(`--${name}: light-dark\\(oklch\\(([^)]+)\\), oklch\\(([^)]+)\\)\\)`).exec(globalsCss) ?? [];
    const computed = tokens.map((token) => {
      const [lightness, chroma, hue] = token.split(" ").map(Number);
      return oklchToHex(lightness!, chroma!, hue!);
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
  const renderGreeting = (name: string) =>
    renderMail({ template: "sign_in_code", locale: "en", params: { name, minutes: 5 }, code: "123456" }, {
      name: "Tellal",
      url: "https://panel.test",
    } as Parameters<typeof renderMail>[1]).text.split("\n")[0];
  expect(renderGreeting("Win https://evil.example/x now")).toBe("Hello Win https: evil. example/x now,");
  expect(renderGreeting("evil.com")).toBe("Hello evil. com,");
  expect(renderGreeting("evil。рф or 203.0.113.7/x")).toBe("Hello evil. рф or 203. 0. 113. 7/x,");
  expect(renderGreeting("=?utf-8?q?x?=")).toBe("Hello = ?utf-8?q?x?=,");
  for (const name of ["Dr. Ayşe O’Neil-Şahin", "J.R. Tolkien", "محمد"])
    expect(renderGreeting(name)).toBe(`Hello ${name},`);
});

test("shows the platform's mark beside its name, and none for a reseller without a logo", () => {
  const render = (resellerId?: number) =>
    renderMail(
      { template: "sign_in_code", locale: "en", params: { name: "Ada", minutes: 5 }, code: "123456" },
      { name: "Acme", url: "https://panel.example.com", resellerId },
    ).html;
  expect(render()).toMatch(/<img src="https:\/\/panel\.example\.com\/icon-180\.png" alt=""[^>]*>Acme/);
  expect(render(7)).not.toContain("<img");
});
