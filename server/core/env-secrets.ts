/** Secrets published in examples; production refuses to start with one of them. */
const SAMPLES = ["change-me", "changeme", "secret", "please-change-this-secret-to-a-long-random-value"];

const MAKE_ONE = "openssl rand -base64 48";

/** Returns why production refuses APP_SECRET or the former secrets. */
export function secretProblems(secret: string | undefined, former: readonly string[]): string[] {
  const problem = secretProblem(secret);
  const problems = problem ? [`APP_SECRET: ${problem}`] : [];
  if (secret && former.includes(secret))
    problems.push("APP_SECRET_OLD: contains APP_SECRET itself; only former secrets belong there");
  if (former.some(({ length }) => length < 32))
    problems.push(
      "APP_SECRET_OLD: one of them is too short to have been a secret; write them whole, with commas between",
    );
  return problems;
}

function secretProblem(secret: string | undefined): string | undefined {
  if (!secret) return `missing; production needs one of at least 32 characters (${MAKE_ONE})`;
  if (secret.length < 32) return `too short; at least 32 characters (${MAKE_ONE})`;
  if (SAMPLES.includes(secret.toLowerCase())) return `this is a sample value; make your own (${MAKE_ONE})`;
  if (isGuessable(secret)) return `too easy to guess; make a random one (${MAKE_ONE})`;
  return undefined;
}

/** Whether a secret has few different characters, or repeats up to four of them. */
function isGuessable(secret: string): boolean {
  const characters = [...secret];
  if (new Set(characters).size < 5) return true;
  return [1, 2, 3, 4].some((period) => characters.every((each, at) => each === characters[at % period]));
}
