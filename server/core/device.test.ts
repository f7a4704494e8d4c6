import { describe, expect, it } from "vitest";
import { parseUserAgent } from "./device";

describe("parseUserAgent", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
      { browser: "Edge", system: "Windows", mobile: false },
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      { browser: "Safari", system: "iPhone", mobile: true },
    ],
    [
      "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
      { browser: "Chrome", system: "Android", mobile: true },
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
      { browser: "Firefox", system: "Linux", mobile: false },
    ],
    ["curl/8.9.1", { browser: "curl", system: undefined, mobile: false }],
    ["node", { browser: "node", system: undefined, mobile: false }],
    [null, { browser: undefined, system: undefined, mobile: false }],
  ])("%s", (userAgent, device) => expect(parseUserAgent(userAgent)).toEqual(device));
});
