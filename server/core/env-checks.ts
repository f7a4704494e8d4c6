/** Variables whose value is used exactly; all others are trimmed. */
const UNTRIMMED_NAMES = /(SECRET|PASSWORD|TOKEN|ACCESS_KEY)$/;

export function trimValue(name: string, value: string): string {
  return UNTRIMMED_NAMES.test(name) ? value : value.trim();
}

/** Variables with a name for display, which may contain joiners and direction marks. */
const NAME_VARIABLES = /^(APP_NAME|ADMIN_NAME|MAIL_FROM)$/;

/** Returns a problem that copying causes: spaces, invisible characters, quotation marks, variables. */
export function findPasteProblem(name: string, value: string): string | undefined {
  const invisibleCharacter = (NAME_VARIABLES.test(name) ? /\p{Cc}/u : /[\p{Cc}\p{Cf}\xA0]/u).exec(
    name === "APPLE_PRIVATE_KEY" ? value.replace(/[\r\n]/g, "") : value,
  );
  if (value !== value.trim()) return "begins or ends with a space; write it without";
  if (invisibleCharacter)
    return `has an invisible character (${formatCodePoint(invisibleCharacter[0])}); type it again`;
  const firstCharacter = value.at(0)!;
  if (/^["'`].+["'`]$/s.test(value) && value.endsWith(firstCharacter))
    return `has quotation marks ${firstCharacter} around it that are read as a part of it; leave them out`;
  if (/^[“”„‟‘’‚«»]|[“”‘’«»]$/.test(value))
    return 'has typographic quotation marks; leave them out, or use "';
  const hasExpansion = /\$\{[A-Za-z_]\w*[:}]|\$\([a-z]+[ )]/.test(value);
  return hasExpansion
    ? "contains a variable or a command after $, which is not expanded; write the value itself"
    : undefined;
}

function formatCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

const SAMPLE_SECRETS = [
  "change-me",
  "changeme",
  "secret",
  "please-change-this-secret-to-a-long-random-value",
];

const GENERATE_COMMAND = "openssl rand -base64 48";

export function findSecretProblems(secret: string | undefined, formerSecrets: readonly string[]): string[] {
  const problem = findSecretProblem(secret);
  const problems = problem ? [`APP_SECRET: ${problem}`] : [];
  if (secret && formerSecrets.includes(secret))
    problems.push("APP_SECRET_OLD: contains APP_SECRET itself; only former secrets belong there");
  if (formerSecrets.some(({ length }) => length < 32))
    problems.push("APP_SECRET_OLD: one of them is too short; write the full secrets, separated by commas");
  return problems;
}

function findSecretProblem(secret: string | undefined): string | undefined {
  if (!secret) return `missing; production requires at least 32 characters (${GENERATE_COMMAND})`;
  if (secret.length < 32) return `too short; at least 32 characters (${GENERATE_COMMAND})`;
  if (SAMPLE_SECRETS.includes(secret.toLowerCase()))
    return `this is a sample value; make your own (${GENERATE_COMMAND})`;
  if (isGuessable(secret)) return `too easy to guess; make a random one (${GENERATE_COMMAND})`;
  return undefined;
}

/** Tests for fewer than five different characters, or a repeated group of up to four. */
function isGuessable(secret: string): boolean {
  const characters = [...secret];
  if (new Set(characters).size < 5) return true;
  return [1, 2, 3, 4].some((period) =>
    characters.every((each, index) => each === characters[index % period]),
  );
}
