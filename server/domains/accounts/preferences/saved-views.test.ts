import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";
import { canonicalQuery, VIEWS_MAX } from "./policy";

const { call, get, post } = await testServer();

const save = (token: string, name: string, query = "is_active=false", list = "sites") =>
  post("/api/user/views", { list, name, query }, { token });
const names = async (token: string, list = "sites") =>
  (await get(`/api/user/views?list=${list}`, token)).json.views.map(({ name }: { name: string }) => name);

describe("a saved view", () => {
  it("is listed, renamed and deleted by its owner only", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    const { status, json } = await save(owner.token, "Duran siteler", "?page=3&sort=name&is_active=false&q=");
    expect({ status, query: json.view.query }).toEqual({ status: 201, query: "is_active=false&sort=name" });
    expect(await names(owner.token)).toEqual(["Duran siteler"]);
    expect(await names(owner.token, "connections")).toEqual([]);
    expect(await names(stranger.token)).toEqual([]);

    const path = `/api/user/views/${json.view.id}`;
    expect((await call("PUT", path, { token: stranger.token, body: { name: "Benim" } })).status).toBe(403);
    expect((await call("PUT", path, { token: owner.token, body: { name: "Kapalı" } })).status).toBe(200);
    expect(await names(owner.token)).toEqual(["Kapalı"]);
    expect((await call("DELETE", path, { token: owner.token })).status).toBe(200);
    expect((await call("DELETE", path, { token: owner.token })).status).toBe(404);
    expect(await names(owner.token)).toEqual([]);
  });

  it("needs a unique name within its list, and at least one filter", async () => {
    const { token } = await makeSignedInUser();
    const { json } = await save(token, "Bir");
    expect((await save(token, "Bir")).json.errors).toHaveProperty("name");
    expect((await save(token, "Bir", "role=user", "connections")).status).toBe(201);
    await save(token, "İki");
    const path = `/api/user/views/${json.view.id}`;
    expect((await call("PUT", path, { token, body: { name: "İki" } })).json.errors).toHaveProperty("name");
    expect((await save(token, "Boş", "page=2")).json.errors).toHaveProperty("query");
  });

  it("is limited to twenty per list, even in a burst", async () => {
    const { id, token } = await makeSignedInUser();
    const data = Array.from({ length: VIEWS_MAX - 3 }, (_, at) => ({
      ...{ userId: id, list: "sites", name: `Görünüm ${at}`, query: "is_active=true" },
    }));
    await prisma().savedView.createMany({ data });
    const burst = await Promise.all(Array.from({ length: 20 }, (_, at) => save(token, `Yeni ${at}`)));
    expect(burst.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(burst.filter(({ status }) => status === 422)).toHaveLength(17);
    expect(await prisma().savedView.count({ where: { userId: id } })).toBe(VIEWS_MAX);
  });
});

describe("the query of a view", () => {
  it("is the same for the same filters, and keeps unknown ones", () => {
    expect(canonicalQuery("b=2&a=1&page=7")).toBe(canonicalQuery("?a=1&b=2"));
    expect(canonicalQuery("gone=1")).toBe("gone=1");
    expect(canonicalQuery("q=&page=1")).toBe("");
  });
});
