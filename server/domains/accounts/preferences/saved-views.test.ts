import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { MAX_VIEWS_PER_LIST, toCanonicalQuery } from "./policy";

const { call, get, post } = await startTestServer();

const saveView = (token: string, name: string, query = "is_active=false", list = "sites") =>
  post("/api/user/views", { list, name, query }, { token });
const listViewNames = async (token: string, list = "sites") =>
  (await get(`/api/user/views?list=${list}`, token)).json.views.map(({ name }: { name: string }) => name);

describe("a saved view", () => {
  it("is listed, renamed and deleted by its owner only", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    const { status, json } = await saveView(
      owner.token,
      "Duran siteler",
      "?page=3&sort=name&is_active=false&q=",
    );
    expect({ status, query: json.view.query }).toEqual({ status: 201, query: "is_active=false&sort=name" });
    expect(await listViewNames(owner.token)).toEqual(["Duran siteler"]);
    expect(await listViewNames(owner.token, "connections")).toEqual([]);
    expect(await listViewNames(stranger.token)).toEqual([]);

    const path = `/api/user/views/${json.view.id}`;
    expect((await call("PUT", path, { token: stranger.token, body: { name: "Benim" } })).status).toBe(403);
    expect((await call("PUT", path, { token: owner.token, body: { name: "Kapalı" } })).status).toBe(200);
    expect(await listViewNames(owner.token)).toEqual(["Kapalı"]);
    expect((await call("DELETE", path, { token: owner.token })).status).toBe(200);
    expect((await call("DELETE", path, { token: owner.token })).status).toBe(404);
    expect(await listViewNames(owner.token)).toEqual([]);
  });

  it("needs a unique name within its list, and at least one filter", async () => {
    const { token } = await makeSignedInUser();
    const { json } = await saveView(token, "Bir");
    expect((await saveView(token, "Bir")).json.errors).toHaveProperty("name");
    expect((await saveView(token, "Bir", "role=user", "connections")).status).toBe(201);
    await saveView(token, "İki");
    const path = `/api/user/views/${json.view.id}`;
    expect((await call("PUT", path, { token, body: { name: "İki" } })).json.errors).toHaveProperty("name");
    expect((await saveView(token, "Boş", "page=2")).json.errors).toHaveProperty("query");
  });

  it("is limited to twenty per list, even in a burst", async () => {
    const { id, token } = await makeSignedInUser();
    const data = Array.from({ length: MAX_VIEWS_PER_LIST - 3 }, (_, index) => ({
      ...{ userId: id, list: "sites", name: `Görünüm ${index}`, query: "is_active=true" },
    }));
    await prisma().savedView.createMany({ data });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => saveView(token, `Yeni ${index}`)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(17);
    expect(await prisma().savedView.count({ where: { userId: id } })).toBe(MAX_VIEWS_PER_LIST);
  });
});

describe("the query of a view", () => {
  it("ignores the order of filters, and keeps unknown ones", () => {
    expect(toCanonicalQuery("b=2&a=1&page=7")).toBe(toCanonicalQuery("?a=1&b=2"));
    expect(toCanonicalQuery("gone=1")).toBe("gone=1");
    expect(toCanonicalQuery("q=&page=1")).toBe("");
  });
});
