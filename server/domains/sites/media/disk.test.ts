import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";

function mountSmallDisk(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), "tellal-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m", "tmpfs", dir], { stdio: "pipe" });
    return dir;
  } catch {
    rmSync(dir, { recursive: true });
    return undefined;
  }
}

const diskPath = mountSmallDisk();
afterAll(() => {
  if (!diskPath) return;
  execFileSync("umount", ["--lazy", diskPath]);
  rmSync(diskPath, { recursive: true });
});

describe.runIf(diskPath)("on a full disk", async () => {
  const { call, get, port, runJobs } = await startTestServer({ env: diskPath ? { DATA_DIR: diskPath } : {} });
  const { id, token } = await makeSignedInUser({ locale: "en" });
  const readSample = (name: string) => readFile(join(import.meta.dirname, "../../../testing/media", name));
  const upload = (bytes: Uint8Array, filename: string) =>
    call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename }]) });
  const listFiles = () =>
    readdirSync(diskPath!, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();

  it("responds 503 to uploads and leaves no files; serving and deleting still work", async () => {
    const film = await readSample("film.mp4");
    const uploadedFilm = (await upload(film, "film.mp4")).json;
    const filesBefore = listFiles();
    const pdf = Buffer.alloc(14 * 1_048_576, 32);
    pdf.write("%PDF-1.4\n");
    pdf.write("%%EOF", pdf.length - 6);
    const refusal = await upload(pdf, "large.pdf");
    expect(refusal).toMatchObject({
      status: 503,
      json: { message: "Service Unavailable: no space is left to store anything." },
    });
    expect(listFiles()).toEqual(filesBefore);

    // Space for the uploaded image, but not for the re-encoded one.
    const photo = await readSample("photo.jpg");
    const { bavail, bsize } = statfsSync(diskPath!);
    writeFileSync(
      join(diskPath!, "others"),
      Buffer.alloc(bavail * bsize - Math.ceil(photo.length / bsize) * bsize),
    );
    const response = await upload(photo, "photo.jpg");
    expect(response.status).toBe(503);
    expect(listFiles().filter((name) => name !== "others")).toEqual(filesBefore);
    expect((await get("/api/health")).json.checks.storage).toEqual({ ok: false, detail: "nearly full" });
    expect((await sendHttp(port, "GET", new URL(uploadedFilm.url).pathname)).bytes).toEqual(film);
    expect((await call("DELETE", `/api/media/${uploadedFilm.media.id}`, { token })).status).toBe(200);
    await runJobs();
    rmSync(join(diskPath!, "others"));
    expect((await upload(photo, "photo.jpg")).status).toBe(201);
    const { bytes, files } = await prisma().mediaUsage.findUniqueOrThrow({ where: { userId: id } });
    const storedSum = await prisma().mediaFile.aggregate({
      where: { userId: id },
      _sum: { size: true },
      _count: true,
    });
    expect(Number(bytes)).toEqual(storedSum._sum.size);
    expect(files).toEqual(storedSum._count);
  });
});
