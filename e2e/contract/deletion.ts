import type { Client } from "./client";
import { CODE_PATTERN } from "./mail";
import { absent, integer, nonEmptyString, oneOf, turkishText } from "./matchers";
import type { World } from "./world";

const REQUEST_PATH = "/api/auth/account/delete-request";
const CONFIRM_PATH = "/api/auth/account/confirm-delete";

/** docs/contract.md 4.4, with the last transition of 3. */
export async function checkDeletion(client: Client, world: World): Promise<void> {
  const confirmDeletion = (label: string, token: string, body?: unknown) =>
    client.post(`4.4 confirm-delete, ${label}`, CONFIRM_PATH, body, { token });
  const readUser = (label: string, token: string) => client.get(`4.4 ${label}`, "/api/user", { token });

  await client.runGroup("4.4 deletion by the mailed code", async () => {
    const person = await world.createPerson();
    const { token } = person;
    const request = await client.post("4.4 delete-request", REQUEST_PATH, undefined, { token });
    client.expectFields(request, 200, {
      success: true,
      message: nonEmptyString,
      masked_email: nonEmptyString,
      expires_in: integer,
    });
    const code = await world.waitForMail(person.email, CODE_PATTERN);
    client.addCheck(
      "4.4 delete-request: a code is mailed",
      request,
      /^\d{6}$/.test(code),
      "six digits",
      code,
    );
    client.expectRow(await readUser("delete-request alone deletes nothing", token), 200, {
      "user.id": person.id,
    });

    client.expectRow(await confirmDeletion("neither code nor word", token, {}), 422, {
      message: nonEmptyString,
      success: absent,
    });
    client.expectRow(await confirmDeletion("no body", token), 422, {
      message: nonEmptyString,
      success: absent,
    });
    client.expectRow(await confirmDeletion("both empty", token, { code: "", confirmation: "" }), 422, {
      message: nonEmptyString,
    });
    client.expectInvalid(
      await confirmDeletion("code of 5 characters", token, { code: code.slice(1) }),
      "code",
    );
    client.expectInvalid(await confirmDeletion("code of 7 characters", token, { code: `${code}0` }), "code");
    client.expectInvalid(await confirmDeletion("code a number", token, { code: 123456 }), "code");
    const longConfirmation = { confirmation: "D".repeat(33) };
    client.expectInvalid(
      await confirmDeletion("confirmation of 33 characters", token, longConfirmation),
      "confirmation",
    );
    client.expectInvalid(
      await confirmDeletion("confirmation a list", token, { confirmation: ["DELETE"] }),
      "confirmation",
    );
    const longestConfirmation = await confirmDeletion("confirmation of 32 characters, a wrong word", token, {
      confirmation: "D".repeat(32),
    });
    client.expectFields(longestConfirmation, 422, { success: false, error: turkishText, errors: absent });
    const wrongCodeReply = await confirmDeletion("a wrong code", token, {
      code: code === "000000" ? "000001" : "000000",
    });
    client.expectFields(wrongCodeReply, 422, { success: false, error: turkishText });
    client.expectRow(await readUser("refused confirmations delete nothing", token), 200, {
      "user.id": person.id,
    });

    const deletionReply = await confirmDeletion("the mailed code", token, { code });
    client.expectFields(deletionReply, 200, {
      success: true,
      message: nonEmptyString,
      mode: "deleted",
      "channels.cleaned": integer,
      "channels.pending": integer,
    });
    client.expectRow(await readUser("the deleted account's token", token), 401, {
      message: "Unauthenticated.",
    });
    client.expectRow(await world.signIn("3 deletion: the account cannot sign in", person.email), 401, {
      success: false,
    });
    const body = world.buildRegistration({ email: person.email });
    const registrationReply = await client.post(
      "3 deletion: the address is free again",
      "/api/auth/register",
      body,
    );
    client.expectRow(registrationReply, 201, { "user.credits": 1000, "user.email_verified_at": null });
  });

  await client.runGroup("4.4 deletion by the typed word", async () => {
    for (const confirmation of ["DELETE", "SİL", "HESABIMI SİL"]) {
      const { token } = await world.createPerson();
      const deletionReply = await confirmDeletion(`the word ${confirmation}`, token, { confirmation });
      client.expectRow(deletionReply, 200, { success: true, mode: "deleted" });
      client.expectRow(await readUser(`the token after ${confirmation}`, token), 401, {
        message: "Unauthenticated.",
      });
    }
  });

  await client.runGroup("4.4 deletion of an account with a site", async () => {
    const { owner, site } = await world.createOwner();
    const path = `/api/sites/${site.id}/regenerate-external-key`;
    const renewal = await client.post(
      "preparation: key before the deletion",
      path,
      {},
      { token: owner.token },
    );
    const key = renewal.textAt("external_api_key");
    const request = await client.post(
      "4.4 delete-request, with a site",
      REQUEST_PATH,
      {},
      { token: owner.token },
    );
    client.expectRow(request, 200, { success: true, mode: oneOf("anonymize", "anonymized") });
    const deletionReply = await confirmDeletion("an account with a site trace", owner.token, {
      confirmation: "DELETE",
    });
    client.expectFields(deletionReply, 200, { success: true, mode: "anonymized" });
    client.expectRow(await readUser("the anonymised account's token", owner.token), 401, {
      message: "Unauthenticated.",
    });
    client.expectRow(await world.signIn("3 anonymised: cannot sign in", owner.email), 401, {
      success: false,
    });
    const revokedKeyReply = await client.get("3 anonymised: the site's key is cleaned", "/api/sites", {
      key,
    });
    client.expectRow(revokedKeyReply, 401, { message: "Unauthenticated." });
    const [row] = await world.server.sql<{ is_present: boolean }>(
      "select exists (select from users where name = $2 and id = $1 or email = $3) as is_present",
      [owner.id, owner.name, owner.email],
    );
    client.addCheck(
      "3 anonymised: name and address are erased",
      null,
      row?.is_present === false,
      "neither",
      row,
    );
  });
}
