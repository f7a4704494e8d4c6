import { hash } from "@node-rs/argon2";
import * as makers from "@/server/demo/makers";

export * from "@/server/demo/makers";

const hashes = new Map<string, Promise<string>>();

/** Argon2id of the least cost: a sign-in verifies it as any other, by the parameters in the hash, but soon. */
function hashOf(password: string): Promise<string> {
  let made = hashes.get(password);
  if (!made) {
    made = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    hashes.set(password, made);
  }
  return made;
}

/** An active account with a confirmed address and the welcome credits, whose password is verified quickly. */
export async function makeUser({ password = "correct-horse", ...data }: makers.UserData = {}) {
  return makers.makeUser({ ...data, passwordHash: await hashOf(password) });
}

/** An account with a bearer token. */
export async function makePerson(
  data: makers.UserData = {},
  token: Parameters<typeof makers.makeToken>[1] = {},
) {
  const user = await makeUser(data);
  return { ...user, token: await makers.makeToken(user.id, token) };
}

/** An account that has just proved its identity with its bearer token. */
export const makeProvenPerson = (data?: makers.UserData) => makePerson(data, { provenAt: new Date() });
