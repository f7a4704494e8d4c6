/** Browser and system of a user agent, under the names that people know. */
export interface Device {
  browser?: string;
  system?: string;
  mobile: boolean;
}

/** The order matters: most browsers also name the ones they descend from. */
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

/** Returns the browser and system of a user agent; a program such as curl goes by the first word it sends. */
export function deviceOf(userAgent: string | null): Device {
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

/** What two sign-ins from one kind of device have in common, whatever the versions. */
export function deviceName(userAgent: string | null): string {
  const { browser, system } = deviceOf(userAgent);
  return `${browser}|${system}`;
}
