export interface Device {
  browser?: string;
  system?: string;
  mobile: boolean;
}

/** The order matters: most browsers also name those they are based on. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/^(?=.*\bVersion\/\d).*\bSafari\//, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Parses a user agent. For other programs, such as curl, the browser is the first word. */
export function parseUserAgent(userAgent: string | null): Device {
  const text = userAgent ?? "";
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(text))?.[1];
  const program = /^(?!Mozilla\b)([A-Za-z][\w.-]{1,29})(?:\/|\s|$)/.exec(text)?.[1];
  return {
    browser: browser ?? program,
    system,
    mobile: /\bMobile\b|\biPhone\b|\biPad\b|\bAndroid\b/.test(text),
  };
}

/** Returns a key for a kind of device, independent of versions. Compared with other keys, never stored. */
export function toDeviceKey(userAgent: string | null): string {
  const { browser, system } = parseUserAgent(userAgent);
  return `${browser}|${system}`;
}
