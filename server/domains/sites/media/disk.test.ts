import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { multipartForm } from "@/server/testing/multipart";
import { testServer } from "@/server/testing/server";

function smallDisk(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), "tellal-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m", "tmpfs", dir], { stdio: "pipe" });
    return dir;
  } catch {
    rmSync(dir, { recursive: true });
    return undefined;
  }
}

const disk = smallDisk();
afterAll(() => {
  if (!disk) return;
  execFileSync("umount", ["--lazy", disk]);
  rmSync(disk, { recursive: true });
});

describe.runIf(disk)("on a full disk", async () => {
  const { call, get, port, work } = await testServer({ env: disk ? { DATA_DIR: disk } : {} });
  const { id, token } = await makeSignedInUser({ locale: "en" });
  const sample = (name: string) => readFile(join(import.meta.dirname, "../../../testing/media", name));
  const upload = (bytes: Uint8Array, filename: string) =>
    call("POST", "/api/media/upload", { token, ...multipartForm([{ bytes, filename }]) });
  const listFiles = () =>
    readdirSync(disk!, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ name }) => name)
      .sort();

  it("refuses uploads with a message, keeps nothing of them, and still serves and deletes files", async () => {
    const film = await sample("film.mp4");
    const stored = (await upload(film, "film.mp4")).json;
    const before = listFiles();
    const pdf = Buffer.alloc(14 * 1_048_576, 32);
    pdf.write("%PDF-1.4\n");
    pdf.write("%%EOF", pdf.length - 6);
    const tooLarge = await upload(pdf, "large.pdf");
    expect(tooLarge).toMatchObject({
      status: 503,
      json: { message: "Service Unavailable: no space is left to store anything." },
    });
    expect(listFiles()).toEqual(before);

    // Space for the uploaded image, but not for the re-encoded one.
    const photo = await sample("photo.jpg");
    const { bavail, bsize } = statfsSync(disk!);
    writeFileSync(
      join(disk!, "others"),
      Buffer.alloc(bavail * bsize - Math.ceil(photo.length / bsize) * bsize),
    );
    const response = await upload(photo, "photo.jpg");
    expect(response.status).toBe(503);
    expect(listFiles().filter((name) => name !== "others")).toEqual(before);
    expect((await get("/api/health")).json.checks.storage).toEqual({ ok: false, detail: "nearly full" });
    expect((await send(port, "GET", new URL(stored.url).pathname)).bytes).toEqual(film);
    expect((await call("DELETE", `/api/media/${stored.media.id}`, { token })).status).toBe(200);
    await work();
    rmSync(join(disk!, "others"));
    expect((await upload(photo, "photo.jpg")).status).toBe(201);
    const { bytes, files } = await prisma().mediaUsage.findUniqueOrThrow({ where: { userId: id } });
    const sum = await prisma().mediaFile.aggregate({
      where: { userId: id },
      _sum: { size: true },
      _count: true,
    });
    expect(Number(bytes)).toEqual(sum._sum.size);
    expect(files).toEqual(sum._count);
  });
});
