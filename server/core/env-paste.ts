/** Names whose values count to the last character; around all others, spaces are dropped. */
const EXACT = /(SECRET|PASSWORD|TOKEN|ACCESS_KEY)$/;

export function trimmed(name: string, value: string): string {
  return EXACT.test(name) ? value : value.trim();
}

/** Names of people and products may have characters that join letters or turn their direction. */
const IS_NAME = /^(APP_NAME|ADMIN_NAME|MAIL_FROM)$/;

/** Returns what came along when a value was copied from elsewhere. */
export function pasteProblem(name: string, value: string): string | undefined {
  const hidden = (IS_NAME.test(name) ? /\p{Cc}/u : /[\p{Cc}\p{Cf}\xA0]/u).exec(
    name === "APPLE_PRIVATE_KEY" ? value.replace(/[\r\n]/g, "") : value,
  );
  if (value !== value.trim()) return "begins or ends with a space; write it without";
  if (hidden) return `has an invisible character (${codePoint(hidden[0])}); type it again`;
  const first = value.at(0)!;
  if (/^["'`].+["'`]$/s.test(value) && value.endsWith(first))
    return `has quotation marks ${first} around it that are read as a part of it; leave them out`;
  if (/^[“”„‟‘’‚«»]|[“”‘’«»]$/.test(value))
    return 'has typographic quotation marks; leave them out, or use "';
  const expansion = /\$\{[A-Za-z_]\w*[:}]|\$\([a-z]+[ )]/.test(value);
  return expansion
    ? "contains a variable or a command behind $, which is not replaced here; write the value itself"
    : undefined;
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
