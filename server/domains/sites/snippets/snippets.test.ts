import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeMedia, makeSignedInUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { finishSnippetRemovalJob } from "./jobs";

const { call, get } = await startTestServer();

const writeSnippet = (token: string, body: object, id?: number) =>
  call(id ? "PUT" : "POST", `/api/snippets${id ? `/${id}` : ""}`, { token, body });

describe("a snippet", () => {
  it("is created with a file of its library, found, updated and deleted", async () => {
    const { id, token } = await makeSignedInUser();
    const file = await makeMedia(id);
    const creation = await writeSnippet(token, {
      title: "Hoş geldiniz",
      shortcut: "merhaba",
      body: "Selam",
      media_file_id: file.id,
    });
    expect({
      status: creation.status,
      media_file_id: creation.json.snippet.media_file_id,
      id: creation.json.snippet.media.id,
    }).toEqual({ status: 201, media_file_id: file.id, id: file.id });
    const { id: snippetId } = creation.json.snippet;
    expect((await get("/api/snippets?q=hos+selam", token)).json).toMatchObject({
      count: 1,
      meta: { total: 1 },
    });
    expect((await get("/api/snippets?q=nothing", token)).json.count).toBe(0);
    const findByShortcut = async (shortcut: string, callerToken = token) =>
      (await get(`/api/snippets?shortcut=${encodeURIComponent(shortcut)}`, callerToken)).json.snippets;
    expect((await findByShortcut("MERHABA")).map(({ title }: { title: string }) => title)).toEqual([
      "Hoş geldiniz",
    ]);
    expect(await findByShortcut("merhab"), "a part does not match").toEqual([]);
    expect(await findByShortcut("merhaba", (await makeSignedInUser()).token)).toEqual([]);
    expect((await get("/api/snippets?shortcut=a%20b", token)).status).toBe(422);
    const snippetUpdate = await writeSnippet(token, { shortcut: null, media_file_id: null }, snippetId);
    expect(snippetUpdate.json.snippet).toMatchObject({ title: "Hoş geldiniz", shortcut: null, media: null });
    const staleUpdate = await writeSnippet(token, { title: "B", expected: { title: "A" } }, snippetId);
    expect(staleUpdate).toMatchObject({ status: 409, json: { current: { title: "Hoş geldiniz" } } });
    expect((await call("DELETE", `/api/snippets/${snippetId}`, { token })).status).toBe(200);
    expect((await get(`/api/snippets/${snippetId}`, token)).status).toBe(404);
  });

  it("cannot have a file of another library, a file that is being deleted, or an unknown file", async () => {
    const [owner, other] = [await makeSignedInUser(), await makeSignedInUser()];
    const foreignFile = await makeMedia(other.id);
    const hiddenFile = await makeMedia(owner.id, { removingAt: new Date() });
    for (const media_file_id of [foreignFile.id, hiddenFile.id, 2_147_483_647]) {
      const { status, json } = await writeSnippet(owner.token, { title: "A", body: "a", media_file_id });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["media_file_id"]);
    }
    const foreignReference = prisma().snippet.create({
      data: { userId: owner.id, title: "A", body: "a", searchText: "a", mediaFileId: foreignFile.id },
    });
    await expect(foreignReference, "the database refuses it, too").rejects.toThrow();
  });

  it("has a unique shortcut, ignoring case and dots, even in concurrent calls", async () => {
    const { token } = await makeSignedInUser();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        writeSnippet(token, { title: "A", body: "a", shortcut: index % 2 ? "İSİM" : "ısım" }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.find(({ status }) => status === 422)!.json.errors).toHaveProperty("shortcut");
    expect((await writeSnippet(token, { title: "A", body: "a", shortcut: "a b" })).status).toBe(422);
  });

  it("can be restored until its deletion is complete, and shows its file again when that is restored", async () => {
    const { id, token } = await makeSignedInUser();
    const file = await makeMedia(id);
    const { snippet } = (await writeSnippet(token, { title: "A", body: "a", media_file_id: file.id })).json;
    await call("DELETE", `/api/media/${file.id}?undo=1`, { token });
    expect((await get(`/api/snippets/${snippet.id}`, token)).json.snippet).toMatchObject({
      media_file_id: null,
      file_missing: true,
    });
    expect((await get("/api/snippets?file=missing", token)).json.count).toBe(1);
    expect((await writeSnippet(token, { title: "B" }, snippet.id)).status).toBe(200);
    await call("POST", `/api/media/${file.id}/restore`, { token });
    expect((await get(`/api/snippets/${snippet.id}`, token)).json.snippet).toMatchObject({
      title: "B",
      media_file_id: file.id,
    });
    for (let round = 0; round < 20; round++) {
      const { id: snippetId } = (await writeSnippet(token, { title: "C", body: "c" })).json.snippet;
      await call("DELETE", `/api/snippets/${snippetId}?undo=true`, { token });
      await prisma().snippet.update({ where: { id: snippetId }, data: { removingAt: new Date() } });
      const [restoreResponse] = await Promise.all([
        call("POST", `/api/snippets/${snippetId}/restore`, { token }),
        finishSnippetRemovalJob({ id: snippetId }),
      ]);
      const remainingSnippet = await prisma().snippet.findUnique({ where: { id: snippetId } });
      expect([restoreResponse.status, remainingSnippet?.removingAt]).toEqual(
        remainingSnippet ? [200, null] : [404, undefined],
      );
    }
  });

  it("of an owner can be read, but not changed, by agents", async () => {
    const owner = await makeSignedInUser();
    const agent = await makeSignedInUser({ isAgentOnly: true, parentUserId: owner.id });
    const { snippet } = (await writeSnippet(owner.token, { title: "A", body: "a" })).json;
    expect((await get(`/api/snippets/${snippet.id}`, agent.token)).json.snippet.can_edit).toBe(false);
    expect((await writeSnippet(agent.token, { title: "B" }, snippet.id)).status).toBe(403);
    const agentSnippet = (await writeSnippet(agent.token, { title: "C", body: "c" })).json.snippet;
    expect((await writeSnippet(owner.token, { title: "D" }, agentSnippet.id)).status).toBe(200);
  });
});
